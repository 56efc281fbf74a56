import type { Checkpoint, Repairs, Turn } from "@tidemark/core";
import { type Block, blocksOf, isThinking, type Message } from "../../soak/history.ts";
import type { SimulatedRequest } from "../../src/simulator/simulated-request.ts";

/** What came of a request, in a few lines: what it repeats, what it adds, where it breaks, what was put right, what the cache gave, whether the provider took it. */
export function describeTurn(turn: Turn, request: SimulatedRequest): readonly string[] {
  const { kept, appended, checkpoints } = turn.continuity;
  const messages = (turn.request as { readonly messages: readonly Message[] }).messages;
  return [
    `request ${turn.number}: keeps ${kept}, appends ${appended}${describeCache(request)}`,
    ...(appended === 0 ? [] : [`  ${messages.slice(kept).map(describeMessage).join(" | ")}`]),
    ...checkpoints.map(describeCheckpoint),
    ...describeRepairs(turn.repairs),
    ...turn.said.map(describeSaid),
    ...request.transformations.map(({ path, reason }) => `provider drops ${path}: ${reason}`),
    ...(request.refusal === undefined ? [] : [`REFUSED ${request.refusal.rule}: ${request.refusal.message}`]),
  ];
}

function describeSaid({ source, revision, channel, as, withdrawn }: Turn["said"][number]): string {
  const told = withdrawn === true ? "takes back" : "says";
  return `${told} ${source}, revision ${revision}${as === undefined ? "" : `, by the ${as}'s channel for the ${channel}'s`}`;
}

function describeCache({ cache }: SimulatedRequest): string {
  if (cache === undefined || cache.read + cache.written === 0) return "";
  return `; cache reads ${cache.read} of ${cache.prompt} tokens`;
}

function describeCheckpoint({ reason, at, class: kind, path, tokens, voids, hint }: Checkpoint): string {
  const named = hint === undefined ? "" : `, ${hint}`;
  const reasoning = voids.length === 0 ? "" : `, voids ${voids.map((place) => place.replace("$.messages", "")).join(" ")}`;
  return `checkpoint ${reason} at ${at} (${kind}, ${path}${named}): ${tokens} tokens${reasoning}`;
}

function describeRepairs(repairs: Repairs): readonly string[] {
  const { resultsCapped, doubtful, ...counts } = repairs;
  const listed = Object.entries(counts).flatMap(([name, value]) => {
    const text = typeof value === "number" ? String(value) : value.join(" ");
    return text === "0" || text === "" ? [] : [`${spelled(name)}: ${text}`];
  });
  return [
    ...listed,
    ...resultsCapped.map(({ id, tokens, cap }) => `result ${id} capped: ${tokens} tokens to ${cap}`),
    ...doubtful.map(({ rule, path }) => `doubtful by ${rule} at ${path}`),
  ];
}

/** `reasoningWithheld` → `reasoning withheld`. */
function spelled(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function describeMessage(message: Message): string {
  const { output_config } = message as { readonly output_config?: { readonly effort?: string } };
  const effort = output_config?.effort;
  const said = [...blocksOf(message).map(describeBlock), ...(effort === undefined ? [] : [`effort ${effort}`])];
  return `${message.role} ${said.join(", ")}`;
}

function describeBlock(block: Block): string {
  if (isThinking(block)) return "thinking";
  if (block.type === "tool_use") return `call ${block.id}`;
  if (block.type === "tool_result") return `result ${block.tool_use_id} ${quoted(textOf(block.content))}`;
  return block.type === "text" ? quoted(String(block.text)) : block.type;
}

function textOf(content: unknown): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return blocksOf({ content })
    .map((block) => String(block.text ?? block.type))
    .join(" ");
}

/** At most so many characters of each end of a text. */
const endCharacters = 34;

function quoted(text: string): string {
  const line = text.replaceAll("\n", "⏎");
  return `"${line.length <= 2 * endCharacters ? line : `${line.slice(0, endCharacters)}…${line.slice(-endCharacters)}`}"`;
}
