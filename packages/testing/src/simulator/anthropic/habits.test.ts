import fc from "fast-check";
import { expect, it } from "vitest";
import { seededActor } from "../actor.ts";
import { chanceOf } from "../chance.ts";
import { anthropicSimulator } from "./server.ts";

type Block = Record<string, unknown>;
type Message = { role: string; content: Block[] };

const tools = ["read", "write", "list"].map((name) => ({ name, input_schema: { type: "object" } }));
const mark = { cache_control: { type: "ephemeral" } };

/** Marks the last block of the last message, on a copy. */
function marked(messages: readonly Message[]): Message[] {
  return messages.map((message, index) =>
    index < messages.length - 1
      ? message
      : { ...message, content: message.content.map((block, at) => (at < message.content.length - 1 ? block : { ...block, ...mark })) },
  );
}

async function converse(seed: number, turns: number) {
  const chance = chanceOf(seed);
  const sim = anthropicSimulator({ seed, script: seededActor({ seed, fails: 0.1, empties: 0.05 }) });
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Go." }] }];
  for (let turn = 0; turn < turns; turn++) {
    // Retried until it is answered; marks walk or are left to the provider; the body may come as an object or as text.
    const moves = chance.happens(0.5);
    const request = {
      model: "claude-opus-5-5",
      max_tokens: 1_000,
      tools,
      messages: moves ? marked(messages) : messages,
      ...(moves ? {} : mark),
    };
    const answer = await sim.handle(chance.happens(0.5) ? request : JSON.parse(JSON.stringify(request)));
    expect(answer.refusal?.rule).toBeUndefined();
    if (answer.status !== 200) continue;
    const content = answer.reply.content as unknown as Block[];
    if (content.length > 0) messages.push({ role: "assistant", content });
    const results = content.flatMap((block) =>
      block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "ok" }] : [],
    );
    messages.push({ role: "user", content: results.length > 0 ? results : [{ type: "text", text: `Go on, ${turn}.` }] });
  }
  return { sim, messages };
}

it("whoever keeps the three habits is never refused, whatever the model says and wherever the marks sit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      await converse(seed, 20);
    }),
    { numRuns: 15 },
  );
});

it("the same seed gives the same conversation, byte by byte", async () => {
  const [one, two] = [await converse(11, 30), await converse(11, 30)];
  expect(one.messages).toEqual(two.messages);
  expect(one.sim.requests.map(({ text, reply }) => [text, reply])).toEqual(two.sim.requests.map(({ text, reply }) => [text, reply]));
});

it("ids of calls, messages and requests are unique", async () => {
  const { sim } = await converse(5, 60);
  const ids = sim.requests.flatMap(({ status, reply }) =>
    status === 200 ? [reply.id, ...(reply.content as unknown as Block[]).flatMap(({ id }) => id ?? [])] : [reply.request_id],
  );
  expect(new Set(ids).size).toBe(ids.length);
});
