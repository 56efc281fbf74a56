import { describe, expect, test } from "vitest";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession, restoreSession, type Session } from "./create-session.ts";

const options = { wire: openaiResponses(), strict: true, selfCheck: true } as const;
const reply = (text: string, id: string) => ({
  status: "completed",
  output: [
    { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: `code ${id}` },
    { type: "message", id: `msg_${id}`, role: "assistant", content: [{ type: "output_text", text }] },
  ],
});

/** A host that changes its settings from request to request. */
class Host {
  session: Session = createSession(options);
  readonly input: object[] = [];
  #replies = 0;

  async ask(text: string, settings: object, model = "gpt-6.2-sol") {
    this.input.push({ role: "user", content: text });
    const turn = await this.session.prepare({ model, store: false, ...settings, input: this.input });
    const answer = reply(`So ${this.#replies}.`, String(this.#replies++));
    turn.settle(answer);
    this.input.push(...answer.output);
    const request = turn.request as unknown as {
      readonly input: readonly { readonly type: string }[];
      readonly reasoning?: object;
      readonly text?: object;
    };
    return { ...turn, sent: request, updates: request.input.filter(({ type }) => type === "configuration_update") };
  }
}

const effort = (name: string) => ({ reasoning: { effort: name } });
const format = { text: { format: { type: "json_object" } } };

describe("a setting that changes in mid-conversation (rule 25)", () => {
  test("is said once, and the request keeps the first one", async () => {
    const host = new Host();
    await host.ask("a", effort("high"));
    const low = await host.ask("b", effort("low"));
    expect(low.continuity.checkpoints).toEqual([]);
    expect(low.sent.reasoning).toEqual({ effort: "high" });
    expect(low.updates).toEqual([{ type: "configuration_update", reasoning: { effort: "low" } }]);
    expect(low.said).toMatchObject([{ value: { effort: "low" }, revision: 1 }]);
    const still = await host.ask("c", effort("low"));
    expect(still.updates).toHaveLength(1);
    expect(still.said).toEqual([]);
    const back = await host.ask("d", effort("high"));
    expect(back.updates.at(-1)).toEqual({ type: "configuration_update", reasoning: { effort: "high" } });
    expect(back.continuity.checkpoints).toEqual([]);
  });

  test("goes into one item with others, and holds over a restart", async () => {
    const host = new Host();
    await host.ask("a", effort("high"));
    const both = await host.ask("b", { ...effort("low"), ...format });
    expect(both.updates).toEqual([
      { type: "configuration_update", reasoning: { effort: "low" }, text: { format: { type: "json_object" } } },
    ]);
    host.session = restoreSession(JSON.parse(JSON.stringify(host.session.snapshot())), options);
    const next = await host.ask("c", { ...effort("low"), ...format });
    expect(next.updates).toHaveLength(1);
    expect(next.continuity.checkpoints).toEqual([]);
  });

  test("is a checkpoint where it cannot be said: gone, beside another parameter, on an earlier model", async () => {
    for (const [first, then, model] of [
      [effort("high"), {}, "gpt-6.2-sol"],
      [effort("high"), { ...effort("low"), service_tier: "priority" }, "gpt-6.2-sol"],
      [effort("high"), effort("low"), "gpt-5.5"],
    ] as const) {
      const host = new Host();
      await host.ask("a", first, model);
      const changed = await host.ask("b", then, model);
      expect(changed.continuity.checkpoints.map(({ reason }) => reason)).toEqual(["params"]);
      expect(changed.updates).toEqual([]);
    }
  });

  test("that nobody has answered is said anew", async () => {
    const host = new Host();
    await host.ask("a", effort("high"));
    host.input.push({ role: "user", content: "b" });
    await host.session.prepare({ model: "gpt-6.2-sol", store: false, ...effort("low"), input: host.input });
    host.input.pop();
    const medium = await host.ask("c", effort("medium"));
    expect(medium.updates).toEqual([{ type: "configuration_update", reasoning: { effort: "medium" } }]);
  });
});
