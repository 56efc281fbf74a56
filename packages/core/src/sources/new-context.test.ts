import { describe, expect, test } from "vitest";
import { Crowded } from "../../test/crowded.ts";
import { speakers } from "../../test/speakers.ts";
import { allOf, breaks } from "../../test/talk.ts";
import { reset } from "../overflow/reset.ts";
import { newContext } from "./new-context.ts";

const overflow = { strategy: reset(), tool: newContext() };

describe.each(speakers)("$name: the model asks for a landing with new_context (rule 34)", (speaker) => {
  async function asked(): Promise<Crowded> {
    const talk = new Crowded(undefined, { overflow }, speaker);
    await talk.exchange(3, 40);
    await talk.ask("go on");
    talk.answer({ calls: [{ id: "c1", name: "new_context", input: { notes: "the key is under the mat" } }] });
    return talk;
  }

  test("it lands in the next request, once, and keeps what the call itself says", async () => {
    const talk = await asked();
    const outcome = await talk.session.tools.call("new_context", { notes: "the key is under the mat" });
    expect(outcome?.isError).toBe(false);
    const turn = await talk.results(["c1", outcome?.text ?? ""]);
    expect(breaks(turn)).toEqual(["compaction at 0"]);
    expect(allOf(turn)).toMatch(/left out to make room.*go on.*the key is under the mat/s);
    expect(allOf(turn)).not.toContain("answer 1");
    talk.answer({ text: "yes" });
    expect(breaks(await talk.ask("and on"))).toEqual([]);
  });

  test("the ask is in the snapshot", async () => {
    const talk = await asked();
    await talk.session.tools.call("new_context", {});
    talk.restore();
    expect(breaks(await talk.results(["c1", "asked for"]))).toEqual(["compaction at 0"]);
  });

  test("it is declared in the wire's form, and only where the session has it", () => {
    expect(JSON.stringify(new Crowded(undefined, { overflow }, speaker).session.tools.own)).toContain('"new_context"');
    expect(new Crowded(reset(), {}, speaker).session.tools.own).toEqual([]);
  });
});
