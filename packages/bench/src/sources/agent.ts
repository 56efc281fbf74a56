import type { MemoryEntry, ObjectValue } from "@tidemark/core";
import { anthropicSimulator, type ScriptedReply, type SimulatedRequest } from "@tidemark/testing";

const turnCount = 100;
export const systemText = "You look after the files of a harbour office and keep the tide tables in order. ".repeat(400);
export const tools: readonly ObjectValue[] = [
  { name: "read", description: "Reads a file.", input_schema: { type: "object", properties: {} } },
];

/** What the agent's host wants the model to know in a turn: something of each source changes in every one. */
export type Known = {
  readonly board: Readonly<Record<string, string>>;
  readonly skill: { readonly name: string; readonly description: string; readonly instructions: string };
  readonly memory: readonly MemoryEntry[];
  readonly time: string;
};

function knownIn(turn: number): Known {
  const berths = Array.from({ length: 60 }, (_, berth) => [
    `berth ${berth}`,
    berth <= turn % 60 ? `taken in turn ${turn - (turn % 60) + berth}` : "free until the morning tide",
  ]);
  const ships = Array.from({ length: 40 }, (_, ship) => ({
    key: `ship-${ship}`,
    text: ship <= turn % 40 ? `draught ${turn - (turn % 40) + ship} metres` : "draught two metres, home port Faro",
  }));
  const mode = turn % 20 < 10 ? "plan" : "act";
  return {
    board: Object.fromEntries(berths),
    skill: { name: mode, description: mode, instructions: `Work as it is fit to ${mode}. `.repeat(20) },
    memory: ships,
    time: new Date(Date.UTC(2026, 10, 30) + turn * 3_600_000).toISOString().slice(0, 13),
  };
}

export type Message = { readonly role: string; readonly content: string | readonly ObjectValue[] };
type Prepared = { readonly request: object; readonly headers?: Readonly<Record<string, string>> };

/** A way to tell the model what is known: makes the request of a turn from the host's own history, and hears the reply. */
export type Way = {
  readonly name: string;
  prepare(model: string, history: readonly Message[], known: Known, turn: number): Promise<Prepared>;
  settle?(reply: object): void;
};

export type Outcome = {
  readonly name: string;
  readonly model: string;
  readonly prompt: number;
  readonly read: number;
  readonly written: number;
  readonly refused: number;
  /** Thinking blocks that the provider dropped, since what they were made over had changed. */
  readonly dropped: number;
};

/** Plays the agent's turns; every third reply calls a tool. */
export async function play(way: Way, model: string, turns: number = turnCount): Promise<Outcome> {
  const simulator = anthropicSimulator({ seed: "bench sources", mode: "drop", script: (_request, position) => replyTo(position) });
  const history: Message[] = [];
  const answers: SimulatedRequest[] = [];
  for (let turn = 0; turn < turns; turn++) {
    history.push({ role: "user", content: nextWords(history.at(-1), turn) });
    const { request, headers } = await way.prepare(model, history, knownIn(turn), turn);
    const answer = await simulator.handle(request, { headers: headers ?? {} });
    answers.push(answer);
    if (answer.status !== 200) break;
    way.settle?.(answer.reply);
    history.push({ role: "assistant", content: structuredClone(answer.reply["content"]) as unknown as readonly ObjectValue[] });
  }
  const sum = (figure: (answer: SimulatedRequest) => number): number => answers.reduce((total, answer) => total + figure(answer), 0);
  return {
    name: way.name,
    model,
    prompt: sum(({ cache }) => cache?.prompt ?? 0),
    read: sum(({ cache }) => cache?.read ?? 0),
    written: sum(({ cache }) => cache?.written ?? 0),
    refused: answers.filter(({ status }) => status !== 200).length,
    dropped: sum(({ transformations }) => transformations.length),
  };
}

function replyTo(position: number): ScriptedReply {
  const thinking = `About turn ${position}.`;
  // With words before the call: the other library makes an empty text of none, which is refused.
  if (position % 3 === 1) return { thinking, text: "I look.", calls: [{ name: "read", input: { path: `tides/${position}` } }] };
  return { thinking, text: `Line ${position} says high water. ${"It holds until noon. ".repeat(8)}` };
}

function nextWords(last: Message | undefined, turn: number): Message["content"] {
  const blocks = Array.isArray(last?.content) ? (last.content as readonly ObjectValue[]) : [];
  const results = blocks.flatMap(({ type, id }) =>
    type === "tool_use" ? [{ type: "tool_result", tool_use_id: id ?? "", content: `high water at ${turn}. `.repeat(40) }] : [],
  );
  return results.length > 0 ? results : `Question ${turn}: what stands in the book of tides?`;
}
