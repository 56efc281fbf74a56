import { describe, expect, test } from "vitest";
import { breaks, LiveHost, reworded, thoughts } from "./live-host.ts";

const read = { calls: [{ name: "read", input: { path: "a" } }] };

/** In a loop of two rows whose second call is open. */
async function inLoop(options: ConstructorParameters<typeof LiveHost>[0] = {}): Promise<LiveHost> {
  const host = new LiveHost(options);
  await host.ask("hello", { thinking: "greet", text: "hi" });
  await host.ask("read both", { thinking: "start", ...read });
  await host.results("text of a", { thinking: "go on", ...read });
  return host;
}

describe("inside an open tool loop the provider wants the latest thinking as it was (rule 62)", () => {
  test.each<readonly [string, (host: LiveHost) => void]>([
    ["an edit in place", (host) => host.edit(0, reworded)],
    ["a changed system text", (host) => Object.assign(host.head, { system: "You write poems." })],
    ["a changed tool list", (host) => Object.assign(host.head, { tools: [{ name: "read" }, { name: "write" }] })],
  ])("(a) %s is held until the loop is over", async (_what, change) => {
    const host = await inLoop();
    change(host);
    const held = await host.results("text of b", { thinking: "done", text: "both read" });
    expect(thoughts(held)).toEqual(["greet", "start", "go on"]);
    expect(held.turn.repairs.held).toBe(1);
    const behind = await host.ask("thanks", { thinking: "polite", text: "welcome" });
    expect(behind.turn.continuity.checkpoints).toHaveLength(1);
    expect(thoughts(behind)).toEqual([]);
    expect(thoughts(await host.ask("bye", { text: "bye" }))).toEqual(["polite"]);
  });

  test("(a) an edit that stays through several rows of a loop is held through all of them", async () => {
    const host = await inLoop();
    host.edit(0, reworded);
    for (const words of ["b", "c", "d"]) expect(breaks(await host.results(words, { thinking: words, ...read }))).toEqual([]);
    await host.results("e", { text: "read" });
    expect(breaks(await host.ask("thanks", { text: "welcome" }))).toEqual(["history at 0"]);
  });

  test("(b) with the beta header the last row is lent; what the provider drops is gone, and what was made behind it stays valid", async () => {
    const host = await inLoop({ headers: true });
    host.edit(4, reworded);
    const lent = await host.results("text of b", { thinking: "done", text: "both read" });
    expect(thoughts(lent)).toContain("go on");
    expect(lent.answer.transformations).toMatchObject([{ type: "thinking_dropped" }]);
    expect(host.settled?.dropped).toHaveLength(1);
    const next = await host.ask("thanks", { thinking: "polite", text: "welcome" });
    expect(thoughts(next)).not.toContain("go on");
    expect(next.answer.transformations).toEqual([]);
    expect((await host.ask("bye", { text: "bye" })).answer.transformations).toEqual([]);
  });

  test("(c) without it the loop is folded, and goes on", async () => {
    const host = await inLoop();
    host.edit(4, reworded);
    const folded = await host.results("text of b", { thinking: "done", text: "both read" });
    expect(thoughts(folded)).toEqual(["greet", "start"]);
    expect(folded.turn.continuity.checkpoints).toMatchObject([{ reason: "history", hint: "folded-loop" }]);
    expect(breaks(await host.ask("thanks", { thinking: "polite", text: "welcome" }))).toEqual([]);
    expect(thoughts(await host.ask("bye", { text: "bye" }))).toEqual(["greet", "start", "done", "polite"]);
  });

  test("(c) a session that did not see the loop folds it, and calls go on behind the fold", async () => {
    const host = await inLoop();
    const stranger = new LiveHost();
    stranger.history = [...host.history];
    const first = await stranger.results("text of b", { thinking: "another", ...read });
    expect(breaks(first)).toEqual(["ledger at 0"]);
    expect(breaks(await stranger.results("text of c", { thinking: "done", text: "read" }))).toEqual([]);
    expect(thoughts(await stranger.ask("thanks", { text: "welcome" }))).toEqual(["another", "done"]);
  });

  test("a crash in the middle of a loop is no break: the restored session goes on with it", async () => {
    const host = await inLoop();
    host.restore();
    const sent = await host.results("text of b", { thinking: "done", text: "both read" });
    expect([thoughts(sent), breaks(sent)]).toEqual([["greet", "start", "go on"], []]);
  });

  test("a call that the user moved past does not open the loop again", async () => {
    const host = await inLoop();
    const sent = await host.ask("never mind", { thinking: "fine", text: "ok" });
    expect(breaks(sent)).toEqual([]);
    expect(sent.turn.repairs.resultsMadeUp).toHaveLength(1);
    expect(thoughts(await host.ask("next", { text: "yes" }))).toEqual(["greet", "start", "go on", "fine"]);
  });
});
