import { chain, createSession, elide, type ObjectValue, reset, summarize, type Wire } from "@tidemark/core";
import { gemini, geminiInteractions } from "@tidemark/core/gemini";
import { describe, expect, it } from "vitest";
import { geminiSimulator, seededActor } from "../src/index.ts";
import { chanceOf } from "../src/simulator/chance.ts";

const model = "gemini-3.8-flash";

type Side = {
  readonly name: string;
  readonly wire: Wire;
  request(history: readonly object[]): object;
  user(text: string): object;
  results(results: readonly { readonly id: string; readonly name: string; readonly text: string }[]): readonly object[];
};

const sides: readonly Side[] = [
  {
    name: "generateContent",
    wire: gemini() as unknown as Wire,
    request: (contents) => ({ model, contents, tools: [{ functionDeclarations: [{ name: "read" }, { name: "write" }] }] }),
    user: (text) => ({ role: "user", parts: [{ text }] }),
    results: (results) => [
      { role: "user", parts: results.map(({ id, name, text }) => ({ functionResponse: { id, name, response: { output: text } } })) },
    ],
  },
  {
    name: "Interactions",
    wire: geminiInteractions() as unknown as Wire,
    request: (input) => ({ model, input, store: false, tools: ["read", "write"].map((name) => ({ type: "function", name })) }),
    user: (text) => ({ type: "user_input", content: [{ type: "text", text }] }),
    results: (results) => results.map(({ id, name, text }) => ({ type: "function_result", call_id: id, name, result: text })),
  },
];

describe.each(sides)("a small window of $name", ({ wire, request, user, results }) => {
  it.each([
    ["elide and reset", () => chain(elide(), reset())],
    [
      "summarize",
      () => summarize({ summarizer: async () => ({ text: "They read files, and nothing is open.", complete: true, refused: false }) }),
    ],
  ])("is cut by %s, again and again, and never refused", async (_, overflow) => {
    const simulator = geminiSimulator({
      seed: "small",
      script: seededActor({ seed: "small", thinks: 0.8, finishes: 0.4 }),
      profiles: { [model]: { context: 6_000 } },
    });
    const session = createSession({ wire, strict: true, selfCheck: true, budget: { context: 6_000, output: 500 }, overflow: overflow() });
    const chance = chanceOf("small");
    const history: object[] = [];
    let landings = 0;
    let open: readonly { readonly id: string; readonly name: string }[] = [];
    for (let number = 0; number < 120; number++) {
      const words = `${chance.token(60)} `.repeat(1 + chance.below(8));
      history.push(...(open.length > 0 ? results(open.map((call) => ({ ...call, text: words }))) : [user(`Question ${number}: ${words}`)]));
      const turn = await session.prepare(request(structuredClone(history)));
      landings += turn.continuity.checkpoints.length;
      const { reply, refusal } = await simulator.handle(turn.request);
      expect(refusal, `request ${number}`).toBeUndefined();
      turn.settle(reply);
      const { messages } = wire.readReply(reply);
      history.push(...structuredClone(messages));
      open = messages.flatMap((message) => wire.read(message as ObjectValue).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])));
    }
    expect(landings).toBeGreaterThan(2);
    expect(simulator.requests.flatMap(({ transformations }) => transformations)).toEqual([]);
  });
});
