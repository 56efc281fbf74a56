import type { ObjectValue, Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { anthropicSimulator, openaiChatSimulator, type Script, type Simulator } from "@tidemark/testing";
import { isObject, messagesOf } from "../demo/body.ts";
import type { Recording } from "./recording.ts";

/** The simulated provider of a recording: Tidemark's adapter for it, and simulators that know its models. */
export type Provider = {
  readonly wire: Wire;
  readonly model: string;
  /** The dialect of Chat Completions that was assumed, since requests do not name their server. */
  readonly dialect: Dialect | undefined;
  simulator(script: Script): Simulator;
};

type Dialect = "openai" | "openrouter" | "sglang" | "vllm";

/** Where reasoning stands in a message tells the dialects apart that would refuse or lose it. */
const dialectByMember: readonly (readonly [member: string, dialect: Dialect])[] = [
  ["reasoning_details", "openrouter"],
  ["reasoning_content", "sglang"],
  ["reasoning", "vllm"],
];

export function providerOf(recording: Recording): Provider {
  const models = [...new Set(recording.steps.flatMap(({ body }) => (typeof body.model === "string" ? [body.model] : [])))];
  const model = models[0] ?? "";
  // Models that no table knows are taken as they come: nothing is refused for what they cannot do.
  const profiles = Object.fromEntries(models.map((id) => [id, {}]));
  if (recording.wire === "anthropic") {
    const simulator = (script: Script): Simulator => anthropicSimulator({ seed: recording.file, mode: "error", profiles, script });
    return { wire: anthropic({ profiles }) as unknown as Wire, model, dialect: undefined, simulator };
  }
  const members = new Set(
    recording.steps.flatMap(({ body }) => messagesOf(body)).flatMap((message) => Object.keys(isObject(message) ? message : {})),
  );
  const dialect = dialectByMember.find(([member]) => members.has(member))?.[1] ?? "openai";
  const simulator = (script: Script): Simulator => openaiChatSimulator({ seed: recording.file, dialect, profiles, script });
  return { wire: openaiChat({ dialect, profiles }) as unknown as Wire, model, dialect, simulator };
}

/** The message of a reply, as a host keeps it. */
export function messageOf(wire: Wire, reply: ObjectValue): ObjectValue | undefined {
  return wire.readReply(reply).messages[0];
}
