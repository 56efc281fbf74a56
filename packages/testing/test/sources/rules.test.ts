import {
  announcement,
  guardrail,
  inMemoryArchive,
  inMemoryStore,
  memory,
  type ObjectValue,
  ReplayLog,
  type SessionOptions,
  type StandardSchema,
  skill,
  state,
  type Wire,
} from "@tidemark/core";
import { describe, expect, test } from "vitest";
import { type Answered, Office } from "./office.ts";
import { testWires } from "./wires.ts";

// Rules 13 to 25, on every wire, each request taken by its strict simulator.

const schema: StandardSchema<object> = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) } };
const task = state<object>("task", { schema });
const notice = announcement("notice", { channel: "system" });
const reminder = announcement("reminder", { channel: "turn" });
const mode = skill();
const form = guardrail("form");

function saidIn({ turn }: Answered): readonly string[] {
  return turn.said.map(({ source, revision, withdrawn }) => `${source} ${revision}${withdrawn === true ? " withdrawn" : ""}`);
}

/** One request that the provider takes, that repeats the one before, and that reads it from the cache. */
async function step(office: Office): Promise<Answered> {
  const before = office.answered.at(-1)?.request.cache;
  const answered = await office.step();
  expect(answered.request.refusal).toBeUndefined();
  expect(answered.turn.continuity.checkpoints).toEqual([]);
  expect(answered.request.transformations).toEqual([]);
  if (before !== undefined) expect(answered.request.cache?.read).toBeGreaterThanOrEqual(office.on.readable(before));
  return answered;
}

const png = btoa("the bytes of a picture of the harbour, ".repeat(40));

/** The picture as base64, or as the bytes in a serialised request. */
function holdsPicture(text: string): boolean {
  return text.includes(png.slice(0, 48)) || /"0":116,"1":104,"2":101,"3":32/.test(text);
}

/** Signatures and ciphertexts of replies; of plain reasoning its text. */
function reasoningIn(wire: Wire, messages: readonly ObjectValue[]): readonly string[] {
  return messages.flatMap((message) =>
    wire.read(message).units.flatMap((unit) => {
      if (unit.kind !== "reasoning") return [];
      const sealed = /"(?:signature|encrypted_content|thoughtSignature)":"([^"]+)"/.exec(JSON.stringify(unit.block))?.[1];
      return [sealed ?? unit.readable];
    }),
  );
}

/** What a request says, without cache marks. */
function sentMessages(wire: Wire, { turn }: Answered): readonly object[] {
  return wire.open(turn.request).messages.map((message) => wire.read(message as ObjectValue).units.map(({ block }) => block));
}

describe.each(testWires)("on $name", (on) => {
  const begin = (options: Omit<SessionOptions, "wire"> = {}): Office =>
    new Office(on, { sources: [task, notice, reminder, mode, form], ...options });

  test("a result above its cap goes out head and tail, and the recall tool brings the rest (rule 13)", async () => {
    const office = begin({ toolResultCap: 256, archive: inMemoryArchive() });
    office.resultText = Array.from({ length: 400 }, (_, line) => `line ${line + 1}`).join("\n");
    await step(office);
    await step(office);
    const { turn, request } = await step(office);
    const [capped] = turn.repairs.resultsCapped;
    expect(request.text).toContain("left out; call recall with reference");
    const outcome = await office.session.tools.call("recall", { reference: capped?.reference, lines: [200, 201] });
    expect(outcome).toEqual({ text: "200: line 200\n201: line 201", isError: false });
    expect(office.session.tools.own.map((tool) => on.wire.toolName(tool))).toEqual(["recall"]);
    await step(office);
  });

  test("a result of words and a picture has its words capped; the picture stays where results hold one (rules 13 and 14)", async () => {
    const office = begin({ toolResultCap: 256, archive: inMemoryArchive() });
    await step(office);
    await step(office);
    office.resultText = Array.from({ length: 400 }, (_, line) => `line ${line + 1}`).join("\n");
    office.picture = png;
    // On Claude a picture that is new to the messages makes them uncached, wherever it stands.
    const { turn, request } = await office.step();
    expect([request.refusal, turn.continuity.checkpoints, request.transformations]).toEqual([undefined, [], []]);
    expect(turn.repairs.resultsCapped).toHaveLength(1);
    expect(request.text).toContain("left out; call recall with reference");
    expect(request.text.includes("line 200")).toBe(false);
    expect(holdsPicture(request.text)).toBe(on.plainResults !== true);
    expect(turn.repairs.mediaWithheld.map(({ reason }) => reason)).toEqual(on.plainResults === true ? ["unsupported"] : []);
    office.restore();
    await step(office);
  });

  test("a picture stays where and as it was sent, and no snapshot or log holds its bytes (rule 14)", async () => {
    const log = new ReplayLog();
    const office = begin({ log });
    office.picture = png;
    const first = await step(office);
    expect(holdsPicture(first.request.text)).toBe(true);
    await step(office);
    for (const kept of [JSON.stringify(office.session.snapshot()), JSON.stringify(log.records)]) expect(holdsPicture(kept)).toBe(false);
    office.restore();
    const { request } = await step(office);
    expect(holdsPicture(request.text)).toBe(true);
  });

  test("a picture that the host does not allow is a line that says so (rule 14)", async () => {
    const office = begin({ allowMedia: () => false });
    office.picture = png;
    const { turn, request } = await step(office);
    expect(holdsPicture(request.text)).toBe(false);
    expect(request.text).toContain("left out: it may not be shown here]");
    expect(turn.repairs.mediaWithheld).toMatchObject([{ reason: "not-allowed" }]);
    await step(office);
    office.picture = png;
    const inResult = await step(office);
    expect(holdsPicture(inResult.request.text)).toBe(false);
    expect(inResult.request.text).toMatch(/"read found line 2\.[^[]*\[image[^[]* left out: it (may not|cannot) be shown here\]/);
  });

  test("a reply goes back as it came, its reasoning stays away from another model, and comes back in its place (rule 15)", async () => {
    const office = begin();
    for (let turn = 0; turn < 3; turn++) await step(office);
    const replies = office.answered.slice(0, 2).map(({ request }) => on.wire.readReply(request.reply).messages as readonly ObjectValue[]);
    const before = await step(office);
    const reasoning = replies.flatMap((messages) => reasoningIn(on.wire, messages));
    expect(reasoning.length > 0).toBe(on.name !== "Chat Completions");
    for (const words of reasoning) expect(before.request.text.includes(words)).toBe(true);
    office.model = on.otherModel;
    const other = await office.step();
    expect([other.request.refusal, other.turn.continuity.checkpoints.map(({ reason }) => reason)]).toEqual([undefined, ["model"]]);
    // Plain reasoning goes there as what it is: words.
    for (const words of reasoning) expect(other.request.text.includes(words)).toBe(on.name === "Ollama");
    office.model = undefined;
    const back = await office.step();
    expect([back.request.refusal, back.request.transformations]).toEqual([undefined, []]);
    for (const words of reasoning) expect(back.request.text.includes(words)).toBe(true);
    const sent = sentMessages(on.wire, before);
    expect(sentMessages(on.wire, back).slice(0, sent.length)).toEqual(sent);
    await step(office);
  });

  test("a state says its revisions, nothing where it was set back, and a tombstone when it is cleared (rule 16)", async () => {
    const office = begin();
    office.session.set(task, { step: "a" });
    expect(saidIn(await step(office))).toEqual(["task 1"]);
    office.session.set(task, { step: "b" });
    office.session.set(task, { step: "a" });
    expect(saidIn(await step(office))).toEqual([]);
    office.session.set(task, { step: "b" });
    expect(saidIn(await step(office))).toEqual(["task 2"]);
    office.session.clear(task);
    expect(saidIn(await step(office))).toEqual(["task 3 withdrawn"]);
    expect(saidIn(await step(office))).toEqual([]);
  });

  test("events stand in a fixed order behind the user's turn, and behind the results inside a tool loop (rules 17 and 18)", async () => {
    const office = begin();
    await step(office);
    await step(office);
    office.session.set(form, { text: "Answer in verse." });
    office.session.set(task, { step: "a" });
    office.session.set(notice, "Ship ahoy.");
    const { turn, request } = await step(office);
    expect(turn.said.map(({ source }) => source)).toEqual(["task", "notice", "form"]);
    expect(request.text.lastIndexOf("<state id=")).toBeGreaterThan(request.text.lastIndexOf("found line"));
    await step(office);
  });

  test("what nobody answered has no place: a retry says it as it is by then (rule 19)", async () => {
    const office = begin();
    await step(office);
    office.session.set(task, { step: "a" });
    office.attempts = [
      () => office.session.set(task, { step: "b" }),
      () => office.session.clear(task),
      () => office.session.set(task, { step: "c" }),
    ];
    const { turn, request } = await step(office);
    expect(turn.said).toMatchObject([{ revision: 1, value: { step: "c" } }]);
    expect(request.text.split("<state")).toHaveLength(2);
    await step(office);
  });

  test("a channel that the model does not take falls back, and that is reported (rules 20 and 24)", async () => {
    const office = begin();
    office.session.set(notice, "Ship ahoy.");
    office.session.set(reminder, "Be brief.");
    const { turn } = await step(office);
    const system = on.wire.profile(on.model).positionalSystem ? "system" : "user";
    const scoped = on.wire.inBand?.turnScoped === undefined ? system : "turn";
    expect(turn.said.map(({ channel, as }) => as ?? channel)).toEqual([system, scoped]);
    expect(saidIn(await step(office))).toEqual(scoped === "turn" ? ["reminder 1"] : []);
    office.session.clear(reminder);
    expect(saidIn(await step(office))).toEqual(scoped === "turn" ? [] : ["reminder 2 withdrawn"]);
  });

  test("memory says a snapshot and what the host changes, never what the model wrote (rule 21)", async () => {
    const store = inMemoryStore([{ key: "name", text: "Ada" }]);
    const office = begin({ sources: [memory({ store })] });
    expect(saidIn(await step(office))).toEqual(["memory 1"]);
    await office.session.tools.call("memory", { command: "create", path: "/memories/drink", file_text: "tea" });
    expect(saidIn(await step(office))).toEqual([]);
    await store.write({ key: "drink", text: "coffee" });
    const { request } = await step(office);
    expect(request.text).toContain("coffee");
    expect(request.text.split("Ada")).toHaveLength(2);
  });

  test("a skill says that it replaces, a guardrail too, and both leave a tombstone (rules 22 and 23)", async () => {
    const office = begin();
    office.session.set(mode, { name: "plan", instructions: "Only plan." });
    office.session.set(form, { text: "Answer in verse." });
    await step(office);
    office.session.set(mode, { name: "act", instructions: "Act." });
    office.session.set(form, { text: "Answer in prose." });
    const { request } = await step(office);
    expect(request.text).toMatch(/replaces=\\"plan\\"/);
    expect(request.text).toContain("These instructions replace the earlier ones of this name");
    office.session.clear(mode);
    office.session.clear(form);
    expect(saidIn(await step(office))).toEqual(["skill 3 withdrawn", "form 3 withdrawn"]);
  });

  test("a guardrail may stand behind the host's system text (rule 23)", async () => {
    const office = begin();
    office.session.set(form, { text: "Answer in verse.", place: "system" });
    const { turn, request } = await step(office);
    expect(turn.said).toEqual([]);
    expect(request.text).toContain("Answer in verse.");
    await step(office);
    await step(office);
  });

  test("a tool that is no longer handed over stays declared, and its calls are refused at dispatch (rule 25)", async () => {
    const office = begin({ toolChanges: "append" });
    await step(office);
    office.tools = ["read"];
    const { request } = await step(office);
    expect(request.text).toContain("Does list in the harbour.");
    expect(office.session.checkCall("mcp__harbour__list")).toContain("not available");
    expect(office.session.checkCall("read")).toBeUndefined();
    office.tools = ["read", "list"];
    await step(office);
    expect(office.session.checkCall("list")).toBeUndefined();
    office.session.tools.ban("read", "The tide is out.");
    expect(office.session.checkCall("functions.read")).toContain("The tide is out.");
    await step(office);
  });
});
