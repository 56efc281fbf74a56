import { describe, expect, test } from "vitest";
import { type Block, breaks, LiveHost, reworded, thoughts } from "./live-host.ts";

async function begun(): Promise<LiveHost> {
  const host = new LiveHost();
  await host.ask("one", { thinking: "first", text: "1" });
  await host.ask("two", { thinking: "second", calls: [{ name: "read", input: { path: "a", all: true } }] });
  await host.results("text of a", { thinking: "third", text: "2" });
  await host.ask("three", { thinking: "fourth", text: "3" });
  return host;
}

describe("what a change voids, the provider would refuse (rule 27)", () => {
  test.each<readonly [string, (host: LiveHost) => void, readonly string[]]>([
    ["an edited turn: what was thought behind it", (host) => host.edit(2, reworded), ["first"]],
    ["a cleared result", (host) => host.edit(4, reworded), ["first", "second"]],
    ["an edited first turn: everything", (host) => host.edit(0, reworded), []],
    ["a removed turn", (host) => host.history.splice(0, 2), []],
    [
      "a summary in place of old turns",
      (host) =>
        host.history.splice(
          0,
          3,
          { role: "user", content: "so far: 1" },
          { role: "assistant", content: "ok" },
          { role: "user", content: "read a" },
        ),
      [],
    ],
    ["a changed system text", (host) => Object.assign(host.head, { system: "You write poems." }), []],
    ["a changed tool", (host) => Object.assign(host.head, { tools: [{ name: "read", description: "Reads." }] }), []],
    ["an added tool", (host) => Object.assign(host.head, { tools: [{ name: "read" }, { name: "write" }] }), []],
  ])("%s", async (_what, change, left) => {
    const host = await begun();
    change(host);
    host.say("four");
    expect(await host.without()).toBe("AN-13");
    const sent = await host.exchange({ thinking: "fifth", text: "4" });
    expect(thoughts(sent)).toEqual(left);
    expect(sent.turn.continuity.checkpoints).toHaveLength(1);
    expect(thoughts(await host.ask("five", { text: "5" }))).toEqual([...left, "fifth"]);
  });

  test.each<readonly [string, (host: LiveHost) => void]>([
    ["keys in another order", (host) => host.edit(3, (block) => Object.fromEntries(Object.entries(block).reverse()) as Block)],
    ["strings as blocks", (host) => host.edit(0, (block) => block)],
    ["another effort", (host) => Object.assign(host.head, { output_config: { effort: "low" } })],
    ["another limit", (host) => Object.assign(host.head, { max_tokens: 50 })],
  ])("%s: nothing is voided", async (_what, change) => {
    const host = await begun();
    change(host);
    expect(thoughts(await host.ask("four", { text: "4" }))).toEqual(["first", "second", "third", "fourth"]);
  });

  test("an appended system text voids nothing either (rule 25)", async () => {
    const host = new LiveHost({ systemChanges: "append" });
    await host.ask("one", { thinking: "first", text: "1" });
    Object.assign(host.head, { system: "You help with files.\nToday is Tuesday." });
    host.say("two");
    expect(await host.without()).toBe("AN-13");
    const sent = await host.exchange({ thinking: "second", text: "2" });
    expect([thoughts(sent), breaks(sent)]).toEqual([["first"], []]);
    expect(thoughts(await host.ask("three", { text: "3" }))).toEqual(["first", "second"]);
  });
});

describe("models read each other's thinking only where the provider says so (rule 15)", () => {
  test("away and back: each model gets its own, in place", async () => {
    const host = await begun();
    host.head.model = "claude-haiku-5-5";
    expect(thoughts(await host.ask("four", { thinking: "of haiku", text: "4" }))).toEqual([]);
    host.head.model = "claude-opus-5-5";
    expect(thoughts(await host.ask("five", { thinking: "back", text: "5" }))).toEqual(["first", "second", "third", "fourth"]);
    expect(thoughts(await host.ask("six", { text: "6" }))).toEqual(["first", "second", "third", "fourth", "back"]);
  });

  test("a chain that was interrupted goes only as far as it holds", async () => {
    const host = new LiveHost();
    for (const model of ["claude-opus-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-sonnet-5-5"]) {
      host.head.model = model;
      await host.ask(`to ${model}`, { thinking: `of ${model}`, text: "ok" });
    }
  });

  test("a message that stands in another form for a model that takes no positional system message is no trap on the way back", async () => {
    const host = new LiveHost();
    host.history.push({ role: "user", content: "hello" }, { role: "system", content: "the build is red" });
    await host.exchange({ thinking: "first", text: "I see" });
    for (const model of ["claude-sonnet-4-6", "claude-opus-5-5", "claude-sonnet-4-6"]) {
      host.head.model = model;
      await host.ask(`to ${model}`, { thinking: `of ${model}`, text: "ok" });
    }
  });
});
