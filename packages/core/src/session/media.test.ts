import { describe, expect, test } from "vitest";
import { anthropicSpeaker, call, chatSpeaker, type Message, result, type Speaker, text } from "../../test/speakers.ts";
import { breaks, bytes, sent, Talk } from "../../test/talk.ts";
import { anthropic } from "../adapters/anthropic/index.ts";
import { openaiChat } from "../adapters/openai-chat/index.ts";
import { ReplayLog } from "../ledger/replay-log.ts";
import { inMemoryArchive } from "../sources/in-memory-archive.ts";
import { inMemoryMedia } from "../sources/media-store.ts";
import { estimateText } from "../wire/tokens.ts";

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

describe("media that cannot be sent are a line that says which and why (rule 14)", () => {
  const tiff = { type: "image", source: { type: "base64", media_type: "image/tiff", data } };
  const line = (type: string, why: string): string => `[${type} of ${data.length} bytes left out: ${why}]`;
  const cannot = "it cannot be shown here";

  test("unsupported: a type that the wire does not take, alone and inside a result beside one that it takes; once for all", async () => {
    const talk = new Talk();
    talk.history = [{ role: "user", content: [text("look"), tiff] }];
    const turn = await talk.send();
    expect(sent(turn)[0]?.content).toEqual([text("look"), text(line("image/tiff", cannot))]);
    expect(turn.repairs.mediaWithheld).toEqual([
      { type: "image/tiff", size: data.length, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, reason: "unsupported" },
    ]);
    talk.answer([call("c1", "screenshot", {})]);
    talk.history.push({ role: "user", content: [result("c1", [picture, text("two"), tiff])] });
    const before = bytes(await talk.send());
    expect(sent(talk.turn)[2]?.content).toEqual([result("c1", [picture, text("two"), text(line("image/tiff", cannot))])]);
    talk.answer({ text: "seen" });
    talk.restore();
    const next = await talk.ask("again");
    expect(bytes(next).slice(0, 3)).toEqual(before);
    expect([breaks(next), next.repairs.mediaWithheld]).toEqual([[], []]);
  });

  test("unsupported: any in a result of Chat Completions, which takes only text there; the picture of a user stays", async () => {
    const part = { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
    const wire = openaiChat({ profiles: { "gpt-4.1": {} } }) as unknown as Speaker["wire"];
    const talk = new Talk({}, { ...chatSpeaker, model: "gpt-4.1", wire });
    talk.history = [{ role: "user", content: [text("look"), part] }];
    await talk.send();
    talk.answer({ calls: [{ id: "c1", name: "screenshot" }] });
    talk.history.push({ role: "tool", tool_call_id: "c1", content: [text("a screen"), part] });
    const turn = await talk.send();
    expect(sent(turn)[0]?.content).toEqual([text("look"), part]);
    expect(JSON.stringify(sent(turn)[2])).toContain(`a screen`);
    expect(JSON.stringify(sent(turn)[2])).toContain(`bytes left out: ${cannot}]`);
    expect(turn.repairs.mediaWithheld).toMatchObject([{ type: "image/png", reason: "unsupported" }]);
  });

  test("not-allowed: what the host does not allow, by type, size or digest, also as a link", async () => {
    const asked: unknown[] = [];
    const allowMedia = (medium: object): boolean => {
      asked.push(medium);
      return false;
    };
    const talk = new Talk({ allowMedia });
    talk.history = [
      { role: "user", content: [text("look"), picture, { type: "image", source: { type: "url", url: "https://a.example/b.png" } }] },
    ];
    const turn = await talk.send();
    const why = "it may not be shown here";
    expect(sent(turn)[0]?.content).toEqual([text("look"), text(line("image/png", why)), text(`[image left out: ${why}]`)]);
    expect(asked).toEqual([
      { type: "image/png", size: data.length, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
      { type: "image", size: undefined, digest: undefined },
    ]);
    expect(JSON.stringify(turn.repairs.mediaWithheld)).not.toContain(data.slice(0, 40));
  });

  test("unsupported: what a model does not take is shown to the next model that does, in its place (rule 15)", async () => {
    const wire = anthropic({ profiles: { blind: { media: [], prefill: false }, "claude-sonnet-4-6": {} } }) as unknown as Speaker["wire"];
    const talk = new Talk({ strict: false }, { ...anthropicSpeaker, model: "claude-sonnet-4-6", wire });
    talk.history = [{ role: "user", content: [text("look"), picture] }];
    const before = bytes(await talk.send());
    talk.answer([call("c1", "screenshot", {})]);
    talk.history.push({ role: "user", content: [result("c1", [text("a screen"), picture])] });
    const blind = await talk.send({ model: "blind" });
    expect(sent(blind)[0]?.content).toEqual([text("look"), text(line("image/png", cannot))]);
    expect(sent(blind)[2]?.content).toEqual([result("c1", [text("a screen"), text(line("image/png", cannot))])]);
    expect(blind.repairs.mediaWithheld).toHaveLength(2);
    talk.answer({ text: "I cannot see" });
    talk.history.push({ role: "user", content: "try again" });
    const still = await talk.send({ model: "blind" });
    expect([breaks(still), still.repairs.mediaWithheld]).toEqual([[], []]);
    expect(bytes(still).slice(0, 3)).toEqual(bytes(blind));
    talk.answer({ text: "No" });
    const seeing = await talk.ask("now?");
    expect(bytes(seeing)[0]).toBe(before[0]);
    expect(seeing.repairs.mediaWithheld).toEqual([]);
    expect(breaks(seeing)).toEqual(["model at 0"]);
  });
});

describe("a result that is text and pictures (rule 13)", () => {
  const lines = (name: string, count: number): string => Array.from({ length: count }, (_, line) => `${name} ${line}`).join("\n");

  test("has its words capped together, the longest first; pictures and short texts stay, and the whole is archived", async () => {
    const talk = new Talk({ toolResultCap: 256, archive: inMemoryArchive() });
    await talk.ask("look");
    talk.answer([call("c1", "screenshot", {})]);
    const short = lines("short", 10);
    talk.history.push({ role: "user", content: [result("c1", [text(lines("long", 800)), picture, text(short)])] });
    const turn = await talk.send();
    const [block] = (sent(turn)[2] as Message).content as readonly [{ readonly content: readonly { readonly text: string }[] }];
    const [shown, kept, stays] = block.content;
    expect([kept, stays]).toEqual([picture, text(short)]);
    expect(shown?.text).toMatch(/^long 0\n[\s\S]*left out; call recall with reference[\s\S]*long 799$/);
    expect(estimateText(`${shown?.text}${short}`)).toBeLessThanOrEqual(256);
    const [capped] = turn.repairs.resultsCapped;
    const whole = await talk.session.tools.call("recall", { reference: capped?.reference, lines: [400, 400] });
    expect(whole?.text).toBe("400: long 399");
    const before = bytes(turn);
    talk.answer({ text: "seen" });
    talk.restore();
    expect(bytes(await talk.ask("again")).slice(0, 3)).toEqual(before);
  });
});
