import { beforeAll, describe, expect, test } from "vitest";
import { anthropicSpeaker, type Body, call, chatSpeaker, type Message, result, speakers, text, thinking } from "../../test/speakers.ts";
import { Talk, type TalkOptions, unmarked } from "../../test/talk.ts";
import { digestText } from "../json/canonical.ts";
import { policyVersion } from "../session/policy.ts";
import { replay } from "../session/replay.ts";
import { through } from "../session/through.ts";
import type { Turn } from "../session/turn.ts";
import { ReplayError, ReplayLog, type ReplayRecord } from "./replay-log.ts";

const read = { name: "read", input_schema: { type: "object" } };

/** What a request sends that a log records: head fields and messages, without marks. */
function recorded({ request }: Turn<Body>): object {
  const { system = [], tools = [], messages } = unmarked(request) as { system?: unknown; tools?: unknown; messages: readonly Message[] };
  return { system, tools, messages };
}

type Played = { readonly talk: Talk; readonly log: ReplayLog; readonly sent: readonly object[] };

/** A conversation with a log: a loop, a capped result, a retry, an edit, a system change and a restore with other options and tools. */
async function play(options: TalkOptions = {}): Promise<Played> {
  const log = new ReplayLog();
  const talk = new Talk({ toolResultCap: 128, ...options, log });
  const sent: object[] = [];
  const send = async (): Promise<void> => {
    sent.push(recorded(await talk.send()));
  };
  talk.head = { max_tokens: 1_000, system: "be brief", tools: [read] };
  talk.history = [anthropicSpeaker.user("one")];
  await send();
  talk.answer([thinking("first"), call("c1")]);
  talk.history.push({ role: "user", content: [result("c1", "long line\n".repeat(300))] });
  await send();
  await send();
  talk.answer([thinking("second"), text("2")]);
  talk.history[0] = anthropicSpeaker.user("one, edited");
  talk.history.push(anthropicSpeaker.user("three"));
  await send();
  talk.answer([thinking("third"), text("3")]);
  Object.assign(talk.head, { system: "be long" });
  talk.history.push(anthropicSpeaker.user("four"));
  await send();
  talk.answer([thinking("fourth"), text("4")]);
  talk.restore({ log, toolResultCap: 64, cache: "planned" });
  Object.assign(talk.head, { tools: [read, { ...read, name: "ls" }] });
  talk.history.push(anthropicSpeaker.user("five"));
  await send();
  return { talk, log, sent };
}

/** As a log comes back from its store. */
const stored = (log: ReplayLog): ReplayRecord[] => JSON.parse(JSON.stringify(log.records));

describe("a replay log (rule 51)", () => {
  let played: Played;
  beforeAll(async () => {
    played = await play();
  });

  test("gives every request back as it was sent, in its own words", () => {
    const { log, sent } = played;
    for (const [n, request] of sent.entries()) {
      const { head, messages } = replay(stored(log), n);
      expect({ system: head.system, tools: head.tools, messages }, `request ${n}`).toEqual(request);
    }
  });

  test("reads nothing behind the request: what follows may be broken or missing", () => {
    const { log, sent } = played;
    const records = stored(log);
    const second = records.findIndex(({ type }, line) => type === "request" && line > 3);
    const cut = [...records.slice(0, second + 1), { broken: true }];
    expect(replay(cut, 1).messages).toEqual((sent[1] as { messages: unknown }).messages);
  });

  test("says each message once, and the head only where it is another", () => {
    const records = stored(played.log);
    const requests = records.flatMap((record) => (record.type === "request" ? [record] : []));
    expect(requests.map(({ head }) => head !== undefined)).toEqual([true, false, false, false, true, true]);
    // What is not answered is admitted anew by a retry; what is, never.
    expect(requests.map(({ kept, messages }) => [kept, messages.length])).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
      [0, 5],
      [0, 7],
      [0, 9],
    ]);
  });

  test("notes its start, each restore, settle and restart", async () => {
    const { talk, log } = await play();
    talk.session.restart();
    expect(stored(log)[0]).toMatchObject({ line: 0, type: "start", version: 1, policy: "1", wire: "anthropic" });
    const types = stored(log).map(({ type }) => type);
    expect(types.filter((type) => type === "settle")).toHaveLength(4);
    expect(types.filter((type) => type === "restore")).toHaveLength(1);
    expect(types.at(-1)).toBe("restart");
  });

  test("notes that it goes on through another wire, and gives the requests of both back", async () => {
    const log = new ReplayLog();
    const talk = new Talk({ log });
    const here = recorded(await talk.ask("one"));
    const there = await through(talk.session, chatSpeaker.wire).prepare({ model: "deepseek-chat", messages: [chatSpeaker.user("one")] });
    expect(stored(log).at(-2)).toMatchObject({ type: "move", wire: chatSpeaker.wire.name });
    expect(replay(stored(log), 0).messages).toEqual((here as { messages: unknown }).messages);
    expect(replay(stored(log), 1).messages).toEqual(there.request.messages);
  });

  test("goes on in another process from its stored records", async () => {
    const { talk, log, sent } = await play();
    const resumed = new ReplayLog(stored(log));
    talk.restore({ log: resumed });
    talk.history = talk.history.slice(0, -1);
    const turn = await talk.ask("another five");
    expect(replay(stored(resumed), sent.length).messages).toEqual(unmarked(turn.request.messages));
    expect(replay(stored(resumed), 0).messages).toEqual((sent[0] as { messages: unknown }).messages);
  });

  test("keeps cache marks, headers and betas outside: they are not in it, and another cache mode gives the same records", async () => {
    const [planned, off] = [await play({ cache: "planned", headers: true }), await play({ cache: "off" })];
    expect(JSON.stringify(stored(planned.log))).not.toMatch(/cache_control|block_binding|anthropic-beta/);
    expect(stored(planned.log)).toEqual(stored(off.log));
  });

  test.each(speakers)("holds a prefill with its request ($name)", async (speaker) => {
    const log = new ReplayLog();
    const model = speaker === anthropicSpeaker ? "claude-sonnet-4-5" : speaker.model;
    const talk = new Talk({ log, strict: false }, { ...speaker, model });
    talk.history = [speaker.user("in JSON"), { role: "assistant", content: "{" }];
    const turn = await talk.send();
    expect(replay(stored(log), 0).messages).toEqual(unmarked(turn.request.messages));
  });
});

describe("a log that was tampered with is refused by name (rules 51 and 52)", () => {
  let records: ReplayRecord[];
  beforeAll(async () => {
    records = stored((await play()).log);
  });

  const refusal = (given: readonly unknown[], n = 5): ReplayError => {
    try {
      replay(given, n);
    } catch (error) {
      expect(error).toBeInstanceOf(ReplayError);
      return error as ReplayError;
    }
    throw new Error("the log was replayed");
  };
  /** The records with one body changed, and all seals made anew. */
  const sealed = (line: number, change: (body: object) => object): unknown[] => {
    let before = "";
    return records.map(({ line: at, seal: _seal, ...body }) => {
      const own = at === line ? change(body) : body;
      before = digestText(`${before}\n${at}\n${JSON.stringify(own)}`);
      return { line: at, seal: before, ...own };
    });
  };
  const lineOf = (n: number): number => records.flatMap(({ type }, line) => (type === "request" ? [line] : []))[n] as number;
  const changed = (line: number, change: object): unknown[] =>
    records.map((record, at) => (at === line ? { ...record, ...change } : record));

  test("changed words: the line", () => {
    const spoilt = JSON.parse(JSON.stringify(records).replace("one, edited", "one, forged"));
    expect(refusal(spoilt)).toMatchObject({ code: "replay-damaged", message: expect.stringContaining(`Line ${lineOf(3)} `) });
  });

  test("a first request without a head, though its seal is made anew: the line", () => {
    const spoilt = sealed(lineOf(0), ({ head: _head, ...body }: { readonly head?: unknown }) => body);
    expect(refusal(spoilt)).toMatchObject({ code: "replay-damaged", message: expect.stringContaining("no head") });
  });

  test("words that are no message, though their seal is made anew: the message", () => {
    const spoilt = sealed(lineOf(0), (body) => ({ ...body, messages: [null] }));
    expect(refusal(spoilt)).toMatchObject({ code: "replay-drift", path: "$.messages[0]" });
  });

  test.each([{ messages: "one" }, { messages: [] }, { chain: {} }, { kept: "1" }])("members of another kind: %j", (change) => {
    expect(refusal(sealed(lineOf(1), (body) => ({ ...body, ...change })))).toMatchObject({
      code: "replay-damaged",
      message: expect.stringContaining(`Line ${lineOf(1)} `),
    });
  });

  test("changed words whose seal was made anew: the first message that differs", () => {
    const log = new ReplayLog();
    log.begin("1", "anthropic", {}, undefined);
    const head = { model: "m", system: [], tools: [], params: {} };
    const [one, two] = [anthropicSpeaker.user("one"), anthropicSpeaker.user("two")] as never[];
    log.request({ turn: 1, head, messages: [one, two] as never, prefill: undefined });
    const forged = new ReplayLog();
    forged.begin("1", "anthropic", {}, undefined);
    forged.request({ turn: 1, head, messages: [one, one] as never, prefill: undefined });
    const spoilt = stored(forged).map((record, line) => ({
      ...record,
      ...(line === 1 ? { chain: (stored(log)[1] as { chain?: unknown }).chain } : {}),
    }));
    expect(refusal(spoilt, 0).code).toMatch(/replay-(damaged|drift)/);
  });

  test.each([
    [undefined, "$.messages[1]"],
    [["contents", 0], "$.contents[1]"],
    [["messages", 2], "$.messages[3]"],
  ])("the path of a message that is not the one that was sent is the wire's own: %j", (place, path) => {
    const log = new ReplayLog();
    log.begin(policyVersion, "any", {}, undefined);
    const messages = ["one", "two"].map((words) => ({ role: "user", words }));
    const head = { model: "m", system: [], tools: [], params: {} };
    log.request({ turn: 1, head, messages, prefill: undefined, ...(place && { place }) });
    const [start, { line, seal: _seal, ...body }] = stored(log) as [ReplayRecord, ReplayRecord & { readonly type: "request" }];
    const forged = { ...body, messages: [messages[0], messages[0]] };
    const seal = digestText(`${start.seal}\n${line}\n${JSON.stringify(forged)}`);
    expect(refusal([start, { line, seal, ...forged }], 0)).toMatchObject({ code: "replay-drift", path });
  });

  test("the path counts the messages that the request before had, too", () => {
    const log = new ReplayLog();
    log.begin(policyVersion, "any", {}, undefined);
    const [one, two, three, four] = ["one", "two", "three", "four"].map((words) => ({ role: "user", words })) as [
      object,
      object,
      object,
      object,
    ];
    const head = { model: "m", system: [], tools: [], params: {} };
    log.request({ turn: 1, head, messages: [one] as never, prefill: undefined });
    log.request({ turn: 2, head, messages: [one, two, three, four] as never, prefill: undefined, place: ["contents", 2] });
    const [start, first, { line, seal: _seal, ...body }] = stored(log) as [ReplayRecord, ReplayRecord, ReplayRecord];
    const forged = { ...body, messages: [two, three, three] };
    const seal = digestText(`${first.seal}\n${line}\n${JSON.stringify(forged)}`);
    expect(refusal([start, first, { line, seal, ...forged }], 1)).toMatchObject({ code: "replay-drift", path: "$.contents[5]" });
  });

  test("a line taken out, put twice, or moved: the line that stands there", () => {
    const at = lineOf(2);
    const out = records.filter((_, line) => line !== at);
    const twice = [...records.slice(0, at), records[at - 1], ...records.slice(at)];
    const moved = records.map((record, line) => (line === at ? records[at + 1] : line === at + 1 ? records[at] : record));
    for (const spoilt of [out, twice, moved]) {
      expect(refusal(spoilt)).toMatchObject({
        code: "replay-damaged",
        message: expect.stringMatching(/lines are missing or in another order/),
      });
    }
  });

  test("cut at its start: no header", () => {
    expect(refusal(records.slice(1))).toMatchObject({ code: "replay-version" });
    expect(refusal([])).toMatchObject({ code: "replay-missing" });
  });

  test("cut at its end: how many requests it holds", () => {
    expect(refusal(records.slice(0, lineOf(3)), 3)).toMatchObject({
      code: "replay-missing",
      message: expect.stringContaining("it holds 3"),
    });
  });

  test("of another version of the log, or of the policy", () => {
    expect(refusal(changed(0, { version: 2 }))).toMatchObject({ code: "replay-version" });
    expect(refusal(changed(0, { policy: "0" }))).toMatchObject({
      code: "replay-version",
      message: expect.stringContaining("policy version 0"),
    });
    const restore = records.findIndex(({ type }) => type === "restore");
    expect(refusal(changed(restore, { policy: "2" }))).toMatchObject({
      code: "replay-version",
      message: expect.stringContaining(`Line ${restore} `),
    });
  });

  test.each([null, "{}", 3, [], {}, { line: 2, seal: "", type: "request" }, { line: 2, seal: "", type: "strange" }])(
    "no record at all: %j",
    (given) => {
      expect(refusal(records.with(2, given as never))).toMatchObject({
        code: "replay-damaged",
        message: expect.stringContaining("Line 2 "),
      });
    },
  );

  test("a forged member that is not in the words: the line", () => {
    expect(refusal(changed(lineOf(1), { kept: 0 })).code).toBe("replay-damaged");
    expect(refusal(changed(lineOf(1), { note: "x" })).code).toBe("replay-damaged");
  });
});

describe("a request with media (rules 14 and 51)", () => {
  test("is given back with their digests", async () => {
    const log = new ReplayLog();
    const talk = new Talk({ log, strict: false }, chatSpeaker);
    const url = `data:image/png;base64,${btoa("pixels".repeat(30))}`;
    talk.history = [{ role: "user", content: [text("look"), { type: "image_url", image_url: { url } }] }];
    await talk.send();
    const [message] = replay(stored(log), 0).messages;
    expect(message).toMatchObject({ content: [text("look"), { image_url: { url: { size: url.length, type: "image/png" } } }] });
    expect(log.records.at(-1)).toMatchObject({ particulars: { media: [expect.stringMatching(/^[0-9a-f]{64}$/)] } });
  });
});
