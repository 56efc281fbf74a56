import type { Landing } from "@tidemark/core";
import { isArray, isObject, type ObjectValue, type Value } from "@tidemark/core/adapter";
import type { SentRequest } from "@tidemark/core/fetch";
import type { ModelMessage, UIMessage } from "ai";
import type { Compacting } from "./compact.ts";

/** A window that was brought down, in the host's own words: what to store, if the host wants to. One that goes on with its full history may as well. */
export type PromptLanding = Omit<Landing, "replaces" | "replacement"> &
  Compacting & {
    /** The replacement as UI messages, for a host that stores those. */
    readonly uiReplacement: readonly UIMessage[];
  };

/** The landings that a request carries. `lead`: leading system messages of its prompt, of which there are `messageCount` in all. */
export function landingsOf({ session, turn }: SentRequest, lead: number, messageCount: number): readonly PromptLanding[] {
  const voids = turn.continuity.checkpoints.some((checkpoint) => checkpoint.reason === "compaction" && checkpoint.voids.length > 0);
  const landings = session.landings.filter((landing) => landing.turn === turn.number);
  return landings.map(({ replaces, replacement, ...landing }) => ({
    ...landing,
    replaces: replaces && { from: replaces.from - lead, to: replaces.to - lead },
    replacement: replacement.map(asModelMessage),
    uiReplacement: replacement.map((message, index) => asUIMessage(message, `tidemark-${landing.number}-${index}`)),
    messageCount: messageCount - lead,
    voidsReasoning: voids,
  }));
}

/** A message of a prompt as the host keeps it. */
export function asModelMessage(message: ObjectValue): ModelMessage {
  const { content } = message;
  const parts = isArray(content) ? content.map(withPlainData) : content;
  return { ...message, content: parts } as unknown as ModelMessage;
}

/** A file's data without its tag: an address as a URL. */
function withPlainData(part: Value): unknown {
  if (!isObject(part) || !isObject(part.data)) return part;
  const { type, data, url } = part.data;
  return { ...part, data: type === "url" ? new URL(String(url)) : (data ?? part.data) };
}

/** A provider's block is known by the metadata of its text. */
function asUIMessage({ role, content }: ObjectValue, id: string): UIMessage {
  const parts = isArray(content) ? content : [{ type: "text", text: content } as ObjectValue];
  return { id, role: role === "assistant" ? "assistant" : "user", parts: parts.flatMap(asUIPart) };
}

function asUIPart(part: Value): UIMessage["parts"] {
  if (!isObject(part)) return [];
  const { type, text, mediaType, data, filename, providerOptions } = part;
  const metadata = providerOptions === undefined ? {} : { providerMetadata: providerOptions };
  if (typeof text === "string") return [{ type: "text", text, ...metadata } as UIMessage["parts"][number]];
  if (type !== "file") return [];
  const name = filename === undefined ? {} : { filename };
  return [{ type: "file", mediaType, url: addressOf(data, String(mediaType)), ...name, ...metadata } as UIMessage["parts"][number]];
}

/** A UI message has a file by its address: what is handed over as bytes is a data URL. */
function addressOf(data: Value | undefined, mediaType: string): string {
  const bytes = isObject(data) ? (data.url ?? data.data) : data;
  const text = bytes instanceof Uint8Array ? btoa(String.fromCharCode(...bytes)) : String(bytes);
  return /^[a-z]+:/i.test(text) ? text : `data:${mediaType};base64,${text}`;
}
