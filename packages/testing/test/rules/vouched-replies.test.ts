import { describe, expect, test } from "vitest";
import { breaks, LiveHost, thoughts } from "./live-host.ts";

async function begun(): Promise<LiveHost> {
  const host = new LiveHost();
  await host.ask("one", { thinking: "first", text: "1" });
  await host.ask("two", { thinking: "second", text: "2" });
  return host;
}

describe("a reply belongs to the window that made it, and the provider agrees (rule 6)", () => {
  test("a conversation keeps all of its thinking, also when its store loses it", async () => {
    const host = await begun();
    host.history = host.history.map((message) =>
      typeof message.content === "string" ? message : { ...message, content: message.content.filter(({ type }) => type !== "thinking") },
    );
    const sent = await host.ask("three", { text: "3" });
    expect(thoughts(sent)).toEqual(["first", "second"]);
    expect(breaks(sent)).toEqual([]);
  });

  test("of two requests in flight, either reply may be kept: its thinking was made over its own window", async () => {
    for (const kept of ["earlier", "later"] as const) {
      const host = await begun();
      host.say("three");
      const earlier = await host.send({ thinking: "to three", text: "3" });
      host.say("no, four");
      const later = await host.send({ thinking: "to both", text: "34" });
      for (const { turn, answer } of [later, earlier]) turn.settle(answer.reply);
      host.history = host.history.slice(0, kept === "earlier" ? 5 : 6);
      host.store(kept === "earlier" ? earlier : later);
      const sent = await host.ask("five", { text: "5" });
      expect(thoughts(sent)).toEqual(["first", "second", kept === "earlier" ? "to three" : "to both"]);
    }
  });

  test("a message that was queued in flight and stored before the reply would have it refused: the reply goes without its thinking", async () => {
    const host = await begun();
    host.say("three");
    const sent = await host.send({ thinking: "to three", text: "3" });
    sent.turn.settle(sent.answer.reply);
    host.say("queued");
    host.store(sent);
    host.say("four");
    expect(await host.without()).toBe("AN-13");
    const next = await host.exchange({ text: "4" });
    expect(thoughts(next)).toEqual(["first", "second"]);
    expect(next.turn.repairs.reasoningWithheld).toBe(1);
    expect(breaks(next)).toEqual([]);
  });

  test("a turn that was made outside the session would be refused with its thinking behind ours", async () => {
    const host = await begun();
    const other = new LiveHost();
    await other.ask("elsewhere", { thinking: "outside", text: "o" });
    host.history.push(...other.history);
    host.say("three");
    expect(await host.without()).toBe("AN-13");
    expect(thoughts(await host.exchange({ text: "3" }))).toEqual(["first", "second"]);
  });

  test("an abandoned branch comes back with its thinking, and goes again", async () => {
    const host = await begun();
    const branch = [...host.history];
    host.history = host.history.slice(0, 2);
    await host.ask("another way", { thinking: "elsewhere", text: "x" });
    const other = [...host.history];
    host.history = [...branch];
    expect(thoughts(await host.ask("three", { thinking: "third", text: "3" }))).toEqual(["first", "second"]);
    host.history = [...other];
    expect(thoughts(await host.ask("on", { text: "y" }))).toEqual(["first", "elsewhere"]);
  });

  test("a session that was restored from its snapshot vouches for settled replies", async () => {
    const host = await begun();
    host.restore();
    const sent = await host.ask("three", { thinking: "third", text: "3" });
    expect(thoughts(sent)).toEqual(["first", "second"]);
    expect(breaks(sent)).toEqual([]);
    host.restore();
    expect(thoughts(await host.ask("four", { text: "4" }))).toEqual(["first", "second", "third"]);
  });

  test("a session without a ledger takes no thinking on trust (rule 8)", async () => {
    const host = await begun();
    const stranger = new LiveHost();
    stranger.history = [...host.history];
    const sent = await stranger.ask("three", { thinking: "third", text: "3" });
    expect([thoughts(sent), breaks(sent)]).toEqual([[], ["ledger at 0"]]);
    expect(thoughts(await stranger.ask("four", { text: "4" }))).toEqual(["third"]);
  });
});
