import { describe, expect, it } from "vitest";
import type { SimulatedRequest } from "../simulated-request.ts";
import type { Simulator } from "../simulator.ts";
import { openaiResponsesSimulator } from "./server.ts";

type Item = Record<string, unknown>;

const user = (text: string): Item => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const simulator = (): Simulator =>
  openaiResponsesSimulator({ script: () => ({ thinking: "so", text: "yes", summary: "They mended a clock." }) });
const send = (sim: Simulator, input: readonly Item[], extra: Item = {}, path = "/v1/responses"): Promise<SimulatedRequest> =>
  sim.handle({ model: "gpt-6.2-sol", input, ...(path.endsWith("compact") ? {} : { store: false }), ...extra } as object, { path });
const outputOf = ({ reply }: SimulatedRequest): Item[] => reply.output as unknown as Item[];
const compact = (sim: Simulator, input: readonly Item[]): Promise<SimulatedRequest> => send(sim, input, {}, "/v1/responses/compact");

describe("compaction on demand (OR-16)", () => {
  it("by the endpoint gives the user's messages and one item, by the trigger the item alone", async () => {
    const sim = simulator();
    const first = [user("mend the clock")];
    const talk = [...first, ...outputOf(await send(sim, first)), user("and the watch")];
    const { reply } = await compact(sim, talk);
    expect(reply).toMatchObject({ object: "response.compaction", output: [first[0], user("and the watch"), { type: "compaction" }] });
    expect(outputOf(await send(sim, [...talk, { type: "compaction_trigger" }]))).toEqual([
      { id: expect.stringMatching(/^cmp_/), type: "compaction", encrypted_content: expect.any(String) },
    ]);
  });

  it("refuses an empty input, a changed item, and a trigger that is not last", async () => {
    const sim = simulator();
    expect((await compact(sim, [])).refusal?.rule).toBe("OR-16");
    const window = outputOf(await compact(sim, [user("mend it")]));
    expect((await send(sim, [...window, user("on")])).refusal).toBeUndefined();
    const changed = window.map((item) =>
      item.type === "compaction" ? { ...item, encrypted_content: `${String(item.encrypted_content)}x` } : item,
    );
    expect((await send(sim, [...changed, user("on")])).refusal).toMatchObject({ rule: "OR-16", path: "input[1]" });
    expect((await send(sim, [{ type: "compaction_trigger" }, user("on")])).refusal?.rule).toBe("OR-16");
  });

  it("voids reasoning of kept turns on models that bind it: the strict reading", async () => {
    const sim = simulator();
    const first = [user("mend the clock")];
    const reply = outputOf(await send(sim, first));
    const kept = [...outputOf(await compact(sim, first)), ...reply, user("on")];
    expect((await send(sim, kept)).transformations).toMatchObject([{ reason: "prefix_mismatch" }]);
  });
});

describe("compaction by threshold", () => {
  const context_management = [{ type: "compaction", compact_threshold: 1_000 }];

  it("begins the reply with the item; what stands before it is read no more, and reasoning behind it stays valid", async () => {
    const sim = simulator();
    const long = [user("copper linen ".repeat(400))];
    expect(outputOf(await send(sim, [user("short")], { context_management })).map(({ type }) => type)).toEqual(["reasoning", "message"]);
    const reply = await send(sim, long, { context_management });
    expect(outputOf(reply).map(({ type }) => type)).toEqual(["compaction", "reasoning", "message"]);
    const whole = await send(sim, [...long, ...outputOf(reply), user("on")], { context_management });
    const pruned = await send(simulator(), [...outputOf(reply), user("on")], { context_management });
    expect(whole.transformations).toEqual([]);
    expect(whole.cache?.prompt).toBe(pruned.cache?.prompt);
    expect(whole.cache?.prompt).toBeLessThan(reply.cache?.prompt ?? 0);
  });
});
