import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { bedrock } from "../src/adapters/bedrock/index.ts";
import { createSession } from "../src/index.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import type { Wire } from "../src/wire/wire.ts";

// Recorded exchanges of public projects; they are beside the repository and never in it.
const folder = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const isPresent = existsSync(join(folder, "INDEX.json"));
if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to read them. Skipped.`);

const wire = bedrock();

type Recorded<T> = { readonly file: string } & T;

const exchanges = isPresent ? recorded() : [];
const requests = exchanges.flatMap(({ file, request }) => (request === undefined ? [] : [{ file, request }]));
const replies = exchanges.flatMap(({ file, reply }) => (reply?.output === undefined ? [] : [{ file, reply }]));
const streams = exchanges.flatMap(({ file, events }) => (events === undefined ? [] : [{ file, events }]));
const errors = exchanges.flatMap(({ file, reply }) => (reply?.message === undefined ? [] : [{ file, reply }]));

describe.runIf(isPresent)("recorded Converse exchanges", () => {
  it("are all there", () => {
    expect([requests.length > 120, replies.length > 110, streams.length >= 20, errors.length >= 3]).toEqual([true, true, true, true]);
  });

  it("open, and close to what they were", () => {
    for (const { file, request } of requests) {
      expect(wire.recognises(request), file).toBe(true);
      const opened = wire.open(request as never);
      const readings = (opened.messages as readonly ObjectValue[]).map((message) => wire.read(message));
      const messages = readings.map(({ nativeRole, units }) => wire.compose(nativeRole, units));
      const closed = wire.close(request as never, opened.head, messages);
      const hostMarks = [
        ...opened.headMarks,
        ...readings.flatMap(({ marks }, message) =>
          marks.map(({ unit, mark }) => ({ part: "messages" as const, message, block: unit, mark })),
        ),
      ];
      const marked = wire.mark(closed, { mode: "off", ttl: undefined, hostMarks, repeatsTo: -1, lagging: undefined });
      expect(plain(marked as unknown as ObjectValue), file).toEqual(plain(request));
    }
  });

  it("break no rule that the service is sure to have", () => {
    for (const { file, request } of requests) {
      const context = { profile: wire.profile(String(request.modelId)), betas: undefined, version: undefined };
      const broken = wire.rules.filter(({ grade }) => grade !== "weak").flatMap((rule) => rule.check(request, context) ?? []);
      // One host began with a reply and was taken by a model that the table does not know to be stricter.
      if (!file.includes("starting_with_response")) expect(broken, file).toEqual([]);
    }
  });

  it("keep what the models replied: admitted and rendered it is the same JSON", async () => {
    for (const { file, reply } of replies) {
      const { messages, finished, usage } = wire.readReply(reply);
      expect(finished, file).toBe(true);
      const { inputTokens = 0, cacheReadInputTokens = 0, cacheWriteInputTokens = 0 } = reply.usage as Record<string, number>;
      expect(usage.prompt, file).toBe(inputTokens + cacheReadInputTokens + cacheWriteInputTokens);
      const sent = messages.map(sendable);
      // Of a reply that is nothing but unsigned reasoning nothing goes out.
      if (sent.some(({ content }) => content.length > 0)) expect([await sentAgain(reply)], file).toEqual(sent);
    }
  });

  it("are put together from their streams", () => {
    for (const { file, events } of streams) {
      const accumulator = wire.accumulator();
      for (const event of events) accumulator.add(event);
      const { reply, finished } = accumulator.reply();
      expect(finished, file).toBe(true);
      const { messages } = wire.readReply(reply);
      const units = messages.flatMap((message) => wire.read(message).units);
      for (const unit of units) if (unit.kind === "call") expect(isObject(unit.value), `${file}: ${JSON.stringify(unit.block)}`).toBe(true);
      const texts = events.map((event) => textIn(event)).join("");
      const said = units.map((unit) => (unit.kind === "text" ? unit.text : citedText(unit.block))).join("");
      expect(said, file).toBe(texts.trim() === "" ? "" : texts);
    }
  });

  it("name an overflow where the service spoke of one, and nowhere else", () => {
    const found = errors.filter(({ reply }) => wire.readOverflow(reply) !== undefined).map(({ file }) => file);
    expect(found).toEqual(errors.filter(({ file }) => file.includes("context_length")).map(({ file }) => file));
  });
});

/** The reply as the next request has it. */
async function sentAgain(reply: ObjectValue): Promise<unknown> {
  const session = createSession({ wire: wire as unknown as Wire, cache: "off" });
  const user = (text: string): object => ({ role: "user", content: [{ text }] });
  const head = { modelId: "a.recorded-model", toolConfig: { tools: [{ toolSpec: { name: "recorded" } }] } };
  const turn = await session.prepare({ ...head, messages: [user("Begin.")] });
  turn.settle(reply);
  const [message] = wire.readReply(reply).messages as readonly [ObjectValue];
  const ids = wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? [unit.id] : []));
  const results = ids.map((toolUseId) => ({ toolResult: { toolUseId, content: [{ text: "Done." }] } }));
  const answer = results.length > 0 ? { role: "user", content: results } : user("Go on.");
  const next = await session.prepare({ ...head, messages: [user("Begin."), message, answer] });
  return (next.request as unknown as { messages: readonly unknown[] }).messages[1];
}

/** Reasoning without a signature is read and not sent. */
function sendable(message: ObjectValue): { readonly role: string; readonly content: readonly ObjectValue[] } {
  const content = (message.content as readonly ObjectValue[]).filter((block) => {
    const [unit] = wire.read({ role: "assistant", content: [block] }).units;
    return unit !== undefined && (unit.kind !== "reasoning" || unit.bound);
  });
  return { role: "assistant", content };
}

/** A request without what says nothing: empty lists and blank texts. */
function plain({ system, ...rest }: ObjectValue): unknown {
  const kept = (isArray(system) ? system : []).filter(
    (block) => !isObject(block) || typeof block.text !== "string" || block.text.trim() !== "",
  );
  const messages = (rest.messages as readonly ObjectValue[]).map((message) => ({
    ...message,
    content: (message.content as readonly ObjectValue[]).filter(({ text }) => typeof text !== "string" || text.trim() !== ""),
  }));
  const { toolConfig, ...others } = rest;
  const tools = isObject(toolConfig) && isArray(toolConfig.tools) && toolConfig.tools.length > 0 ? { toolConfig } : {};
  return { ...others, ...tools, messages, ...(kept.length > 0 && { system: kept }) };
}

function textIn({ contentBlockDelta }: ObjectValue): string {
  const delta = isObject(contentBlockDelta) ? contentBlockDelta.delta : undefined;
  return isObject(delta) && typeof delta.text === "string" ? delta.text : "";
}

function citedText({ citationsContent }: ObjectValue): string {
  const content = isObject(citationsContent) ? citationsContent.content : undefined;
  return isArray(content) ? content.map((item) => (isObject(item) ? String(item.text) : "")).join("") : "";
}

type Exchange = Recorded<{
  readonly request?: ObjectValue;
  readonly reply?: ObjectValue;
  readonly events?: readonly ObjectValue[];
}>;

/** Cassettes of exchanges, and bare replies and streams. */
function recorded(): readonly Exchange[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly wires: readonly { readonly file: string; readonly formats?: readonly string[] }[];
  };
  const files = index.wires.filter(
    ({ file, formats }) => formats?.includes("bedrock-converse") || file.includes("vercel-ai/amazon-bedrock/"),
  );
  return files.flatMap(({ file }) => exchangesOf(file));
}

function exchangesOf(file: string): readonly Exchange[] {
  const text = readFileSync(join(folder, file), "utf8");
  if (file.endsWith(".chunks.txt")) return [{ file, events: text.split("\n").filter(Boolean).map(objectIn) }];
  const whole = objectIn(text);
  if (!isArray(whole.interactions)) return [{ file, reply: whole }];
  return (whole.interactions as readonly ObjectValue[])
    .filter(({ format }) => format === "bedrock-converse")
    .map((given) => exchangeOf(file, given));
}

function exchangeOf(file: string, { request, response }: ObjectValue): Exchange {
  const { url, body } = request as { readonly url: string; readonly body: Value };
  const { eventstream, body: reply } = response as ObjectValue;
  const modelId = decodeURIComponent(/\/model\/([^/]+)\//.exec(url)?.[1] ?? "");
  return {
    file,
    ...(isObject(body) && { request: copyValue({ modelId, ...body }) as ObjectValue }),
    ...(isObject(reply) && { reply }),
    ...(isArray(eventstream) && { events: (eventstream as readonly ObjectValue[]).map(eventOf) }),
  };
}

/** A recorded message of the stream as the SDK hands it out. */
function eventOf({ headers, payload }: ObjectValue): ObjectValue {
  return { [String((headers as ObjectValue)[":event-type"])]: payload as Value };
}

function objectIn(text: string): ObjectValue {
  return copyValue(JSON.parse(text)) as ObjectValue;
}
