import { describe, expect, test } from "vitest";
import { breaks, LiveHost, reworded, thoughts } from "./live-host.ts";

const minute = 60_000;

/** A conversation that is long enough to be cached. */
async function long(options: ConstructorParameters<typeof LiveHost>[0] = {}): Promise<LiveHost> {
  const host = new LiveHost(options);
  host.head.system = Array.from({ length: 300 }, (_, line) => `Rule ${line}: be careful.`).join("\n");
  await host.ask("one", { thinking: "first", text: "1" });
  await host.ask("two", { thinking: "second", text: "2" });
  return host;
}

describe("explain() agrees with the provider's cache (rule 28)", () => {
  test.each(["automatic", "planned"] as const)("healthy: what is repeated is read, with %s marks", async (cache) => {
    const host = await long({ cache });
    const { answer } = await host.ask("three", { text: "3" });
    const explanation = host.session.explain();
    expect(explanation.verdict).toBe("healthy");
    expect(explanation.readTokens).toBe(answer.cache?.read);
    expect(explanation.readTokens).toBeGreaterThan(1_000);
  });

  test("time-to-live: after a pause nothing is read", async () => {
    const host = await long();
    host.clock.advance(6 * minute);
    await host.ask("three", { text: "3" });
    expect(host.session.explain()).toMatchObject({ verdict: "time-to-live", readTokens: 0 });
  });

  test("a longer ttl outlives the same pause", async () => {
    const host = await long({ ttl: "1h" });
    host.clock.advance(6 * minute);
    await host.ask("three", { text: "3" });
    expect(host.session.explain().verdict).toBe("healthy");
  });

  test("prompt: an edit costs what stands behind it, and the evidence names its place", async () => {
    const host = await long();
    host.edit(0, reworded);
    const sent = await host.ask("three", { text: "3" });
    expect(breaks(sent)).toEqual(["history at 0"]);
    const explanation = host.session.explain();
    expect(explanation.verdict).toBe("prompt");
    expect(explanation.evidence.join(" ")).toContain("$.messages[0]");
  });

  test("prompt: the provider, asked for its reason, is evidence, too", async () => {
    const host = await long({ diagnostics: true });
    const { turn } = await host.ask("three", { text: "3" });
    expect(turn.request).toMatchObject({ diagnostics: { previous_message_id: expect.stringMatching(/^msg_/) } });
    expect(host.session.explain().verdict).toBe("healthy");
    host.edit(0, reworded);
    await host.ask("four", { text: "4" });
    const explanation = host.session.explain();
    expect(explanation.verdict).toBe("prompt");
    expect(explanation.evidence.join(" ")).toContain("messages_changed");
    host.restore();
    expect((await host.ask("five", { text: "5" })).turn.request).toHaveProperty("diagnostics");
  });

  test("below-minimum: a short prompt is not cached, and that is not called healthy", async () => {
    const host = new LiveHost();
    host.head.system = "Be careful. ".repeat(100);
    await host.ask("one", { text: "1" });
    await host.ask("two", { text: "2" });
    expect(host.session.explain()).toMatchObject({ verdict: "below-minimum", readTokens: 0 });
  });

  test("not-asked: without marks nothing is read or written", async () => {
    const host = await long({ cache: "off" });
    await host.ask("three", { text: "3" });
    expect(host.session.explain()).toMatchObject({ verdict: "not-asked", readTokens: 0 });
  });
});

describe("what the provider reports as dropped is never sent again (rule 28)", () => {
  test("also for a cause that Tidemark cannot know: the key of another organisation", async () => {
    const host = await long({ headers: true });
    host.moveTo("org_other");
    const dropped = await host.ask("three", { thinking: "third", text: "3" });
    expect(dropped.answer.transformations).toMatchObject([
      { reason: "organization_binding_mismatch" },
      { reason: "organization_binding_mismatch" },
    ]);
    expect(host.settled?.dropped).toHaveLength(2);
    const next = await host.ask("four", { text: "4" });
    expect(next.turn.continuity.checkpoints).toMatchObject([{ reason: "history", at: 1, hint: "dropped-by-provider" }]);
    expect(thoughts(next)).toEqual(["third"]);
    expect(next.answer.transformations).toEqual([]);
  });

  test("and a host that settles nothing is not told, so that nothing is voided", async () => {
    const host = new LiveHost({ headers: true });
    host.say("one");
    host.store(await host.send({ thinking: "first", text: "1" }));
    host.say("two");
    expect(thoughts(await host.send({ text: "2" }))).toEqual(["first"]);
  });
});
