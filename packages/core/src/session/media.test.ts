import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Message, result, text } from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { ReplayLog } from "../ledger/replay-log.ts";
import { inMemoryMedia } from "../sources/media-store.ts";

const data = btoa("the bytes of a picture, ".repeat(40));
const picture = { type: "image", source: { type: "base64", media_type: "image/png", data } };

async function seen(options: ConstructorParameters<typeof Talk>[0] = {}): Promise<Talk> {
  const talk = new Talk(options);
  talk.history = [{ role: "user", content: [text("look"), picture] }];
  await talk.send();
  talk.answer([call("c1", "screenshot", {})]);
  talk.history.push({ role: "user", content: [result("c1", [text("a screen"), picture])] });
  await talk.send();
  talk.answer({ text: "seen" });
  return talk;
}

describe("media (rule 14)", () => {
  test("stay where and as they were sent", async () => {
    const talk = await seen();
    const before = bytes(talk.turn);
    const turn = await talk.ask("again");
    expect(bytes(turn).slice(0, 3)).toEqual(before);
    expect(sent(turn)[0]?.content).toEqual([text("look"), picture]);
  });

  test("stand in snapshots and logs as digest, size and type, never as bytes", async () => {
    const log = new ReplayLog();
    const talk = await seen({ log });
    for (const stored of [JSON.stringify(talk.session.snapshot()), JSON.stringify(log.records)])
      expect(stored).not.toContain(data.slice(0, 40));
    expect(JSON.stringify(log.records)).toContain(`"size":${data.length},"type":"image/png"`);
  });

  test("come back from the history behind a restore, also inside a message that is kept in full", async () => {
    for (const toolResultCap of [false, 64] as const) {
      const talk = await seen({ toolResultCap });
      const before = bytes(talk.turn);
      talk.restore();
      const turn = await talk.ask("again");
      expect(bytes(turn).slice(0, 3)).toEqual(before);
      expect(breaks(turn)).toEqual([]);
    }
  });

  test("come back from the media store where the session owns the history; what it lacks or has otherwise is a line that says so", async () => {
    for (const kept of ["all", "none", "another"] as const) {
      const media = inMemoryMedia();
      const talk = new Talk({ history: "new", media });
      talk.history = [{ role: "user", content: [text("look"), picture] }];
      const before = bytes(await talk.send());
      talk.turn?.settle(anthropicSpeaker.replied(anthropicSpeaker.reply({ text: "seen" })));
      const store = {
        ...media,
        get: (digest: string) => (kept === "another" ? btoa("another") : kept === "all" ? media.get(digest) : undefined),
      };
      const warnings: string[] = [];
      talk.restore({ media: store });
      talk.session.on("warning", ({ code }) => warnings.push(code));
      talk.history = [anthropicSpeaker.user("again")];
      const turn = await talk.send();
      expect(bytes(turn)[0] === before[0]).toBe(kept === "all");
      expect(breaks(turn)).toEqual(kept === "all" ? [] : ["history at 0"]);
      expect(warnings).toEqual(kept === "all" ? [] : [`media-${kept === "none" ? "missing" : "changed"}`]);
      if (kept !== "all")
        expect(sent(turn)[0]?.content).toEqual([
          text("look"),
          text(expect.stringMatching(/^\[image\/png of \d+ bytes left out: .*\]$/) as unknown as string),
        ]);
      expect(JSON.stringify(turn.request)).not.toContain("tidemark:medium");
    }
  });

  test("that neither the history nor the snapshot has any more are replaced by a line that says so, and that is a break", async () => {
    const talk = await seen({ trims: "ignore" });
    for (const words of ["two", "three"]) {
      await talk.ask(words);
      talk.answer({ text: words });
    }
    talk.history = talk.history.slice(2);
    expect(breaks(await talk.ask("four"))).toEqual([]);
    talk.restore();
    const turn = await talk.ask("five");
    expect(breaks(turn)).toEqual(["history at 0"]);
    expect(bytes(turn)[0]).toContain("bytes left out: it is no longer kept]");
    expect(bytes(turn)[0]).not.toContain("tidemark:medium");
  });

  test("that are another picture, or a pointer to one, are an edit", async () => {
    for (const now of [{ ...picture, source: { ...picture.source, data: btoa("another") } }, text("[image: 1.png]")]) {
      const talk = await seen();
      talk.history[0] = { role: "user", content: [text("look"), now] };
      expect(breaks(await talk.ask("again"))).toEqual(["history at 0"]);
    }
  });

  test("are compared by content: the same bytes in another object are the same picture", async () => {
    const talk = await seen();
    talk.history = structuredClone(talk.history);
    expect((await talk.ask("again")).repairs.equivalent).toBe(0);
  });

  test("are counted by the provider's formula, not as text", async () => {
    const talk = await seen({ budget: { measure: "counter" } });
    const turn = await talk.ask("again");
    expect(turn.budget.tokens).toBeGreaterThan(2 * 1_000);
    const small = new Talk();
    expect((await small.ask("look")).budget.tokens).toBeLessThan(50);
  });

  test("that a Chat history holds as data URLs are treated alike", async () => {
    const part = { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
    const look: Message = { role: "user", content: [text("look"), part] };
    const talk = new Talk({ strict: false }, { ...chatSpeaker, model: "deepseek-vision" });
    talk.history = [look];
    const before = bytes(await talk.send());
    talk.answer({ text: "seen" });
    expect(JSON.stringify(talk.session.snapshot())).not.toContain(data.slice(0, 40));
    talk.restore();
    const turn = await talk.ask("again");
    expect(bytes(turn)[0]).toBe(before[0]);
    expect(breaks(turn)).toEqual([]);
  });
});
