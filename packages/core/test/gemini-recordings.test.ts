import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { gemini } from "../src/adapters/gemini/index.ts";
import { sameValue } from "../src/json/compare.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import { sameUnit, type Unit } from "../src/wire/unit.ts";

// Recorded exchanges of public projects; they are beside the repository and never in it.
const folder = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const isPresent = existsSync(join(folder, "INDEX.json"));
if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to read them. Skipped.`);

type Exchange = {
  readonly file: string;
  readonly request?: ObjectValue;
  readonly reply?: ObjectValue;
  readonly stream?: readonly ObjectValue[];
};

const wire = gemini();
const exchanges = isPresent ? recorded() : [];
const requests = exchanges.flatMap(({ file, request }) => (request === undefined ? [] : [{ file, request: asHost(request) }]));
const replies = exchanges.flatMap(({ file, reply }) => (reply === undefined || reply.error !== undefined ? [] : [{ file, reply }]));
const streams = exchanges.flatMap(({ file, stream }) => (stream === undefined ? [] : [{ file, stream }]));
const errors = exchanges.flatMap(({ file, reply }) => (reply?.error === undefined ? [] : [{ file, reply }]));

describe.runIf(isPresent)("recorded generateContent", () => {
  it("are all there", () => {
    expect({ requests: requests.length > 170, replies: replies.length > 140, streams: streams.length > 100 }).toEqual({
      requests: true,
      replies: true,
      streams: true,
    });
  });

  it("are recognised as this wire's requests", () => {
    expect(requests.filter(({ request }) => !wire.recognises(request)).map(({ file }) => file)).toEqual([]);
  });

  it("open, and close to what they were", () => {
    const changed: string[] = [];
    for (const { file, request } of requests) {
      const whole = request as unknown as { model: string; contents: object[] };
      const opened = wire.open(whole);
      const messages = opened.messages.map((message) => composedAgain(copyValue(message) as ObjectValue));
      const closed = copyValue(wire.close(whole, opened.head, messages)) as ObjectValue;
      if (!sameValue(normalRequest(request), normalRequest(closed))) changed.push(file);
    }
    expect(changed).toEqual([]);
  });

  it("are read alike before and after composing (rule 4)", () => {
    const other: string[] = [];
    for (const { file, request } of requests) {
      for (const content of wire.open(request as never).messages as readonly ObjectValue[]) {
        if (!sameUnits(wire.read(content).units, wire.read(composedAgain(content)).units)) other.push(file);
      }
    }
    expect(other).toEqual([]);
  });

  it("match every response with its call", () => {
    for (const { file, request } of requests) {
      const units = (wire.open(request as never).messages as readonly ObjectValue[]).flatMap((content) => wire.read(content).units);
      const calls = units.flatMap((unit) => (unit.kind === "call" ? [unit.id] : []));
      for (const unit of units) if (unit.kind === "result") expect(calls, file).toContain(unit.id);
    }
  });

  it("pass the rules that are sure and likely, since they were answered", () => {
    for (const { file, request } of requests) {
      const closed = wire.close(request as never, wire.open(request as never).head, request.contents as never) as ObjectValue;
      const context = { profile: wire.profile(String(request.model)), betas: undefined, version: undefined };
      for (const rule of wire.rules) if (rule.grade !== "weak") expect(rule.check(closed, context), `${file} ${rule.id}`).toBeUndefined();
    }
  });

  it("keep what was replied, part for part, with its usage", () => {
    for (const { file, reply } of replies) {
      const { messages, finished, usage } = wire.readReply(reply);
      expect(finished, file).toBe(true);
      const [candidate] = (reply.candidates ?? []) as readonly ObjectValue[];
      const received = candidate?.content as ObjectValue | undefined;
      const parts = (received?.parts ?? []) as readonly ObjectValue[];
      expect(messages.length, file).toBe(parts.length > 0 ? 1 : 0);
      if (messages[0] !== undefined) expect(composedAgain(messages[0]), file).toEqual(normalContent(received as ObjectValue));
      const reported = (reply.usageMetadata ?? reply.usage_metadata ?? {}) as ObjectValue;
      const prompt = (reported.promptTokenCount ?? reported.prompt_token_count) as number | undefined;
      expect(usage.prompt, file).toBe(prompt === undefined ? undefined : prompt + Number(reported.toolUsePromptTokenCount ?? 0));
      if (usage.cacheRead !== undefined) expect((usage.uncached ?? 0) + usage.cacheRead, file).toBe(usage.prompt);
      const total = (reported.totalTokenCount ?? reported.total_token_count) as number | undefined;
      if (total !== undefined && usage.output !== undefined) expect((usage.prompt ?? 0) + usage.output, file).toBe(total);
    }
  });

  it("are put together from their streams", () => {
    for (const { file, stream } of streams) {
      const accumulator = wire.accumulator();
      const before = JSON.stringify(stream);
      for (const chunk of stream) accumulator.add(chunk);
      expect(JSON.stringify(stream), file).toBe(before);
      const { reply, finished } = accumulator.reply();
      const candidates = stream.flatMap((chunk) => (chunk.candidates ?? []) as readonly ObjectValue[]);
      expect(finished, file).toBe(candidates.some((candidate) => typeof (candidate.finishReason ?? candidate.finish_reason) === "string"));
      const { messages, usage } = wire.readReply(reply);
      const parts = candidates.flatMap(({ content }) => ((content as ObjectValue | undefined)?.parts ?? []) as readonly ObjectValue[]);
      const units = messages.flatMap((message) => wire.read(message).units);
      expect(visibleText(units), file).toBe(parts.map(saidIn).join("").trim());
      expect(signatures(messages), file).toEqual(signatures([{ parts }]));
      const names = parts.flatMap((part) => calledName(part) ?? []);
      expect(
        units.flatMap((unit) => (unit.kind === "call" ? [unit.name] : [])),
        file,
      ).toEqual(names);
      expect(JSON.stringify(messages), file).not.toContain("partialArgs");
      const reports = stream.some((chunk) => JSON.stringify(chunk).includes("promptTokenCount") || chunk.usage_metadata !== undefined);
      expect(usage.prompt !== undefined, file).toBe(reports);
    }
  });

  it("name no overflow where the server spoke of a quota", () => {
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter(({ reply }) => wire.readOverflow(reply) !== undefined).map(({ file }) => file)).toEqual([]);
  });
});

function composedAgain(content: ObjectValue): ObjectValue {
  const { nativeRole, units } = wire.read(content);
  return wire.compose(nativeRole, units);
}

function sameUnits(a: readonly Unit[], b: readonly Unit[]): boolean {
  return a.length === b.length && a.every((unit, index) => sameUnit(unit, b[index] as Unit));
}

function visibleText(units: readonly Unit[]): string {
  return units
    .map((unit) => (unit.kind === "text" ? unit.text : ""))
    .join("")
    .trim();
}

function saidIn(part: ObjectValue): string {
  return typeof part.text === "string" && part.thought !== true ? part.text : "";
}

function calledName(part: ObjectValue): string | undefined {
  const call = (part.functionCall ?? part.function_call) as ObjectValue | undefined;
  return call?.name as string | undefined;
}

function signatures(contents: readonly ObjectValue[]): readonly Value[] {
  return contents.flatMap(({ parts }) => (parts as readonly ObjectValue[]).flatMap(({ thoughtSignature }) => thoughtSignature ?? []));
}

// What the wire documents as alike, written a second time and plainly: names in snake_case, blank text beside other parts, one list of functions.

function normalRequest(request: ObjectValue): Value {
  const { contents, tools, config, ...rest } = request;
  const inner = (config ?? {}) as ObjectValue;
  return copyValue({
    ...rest,
    contents: (typeof contents === "string" ? [{ role: "user", parts: [{ text: contents }] }] : (contents as readonly ObjectValue[])).map(
      normalContent,
    ),
    tools: normalTools(tools ?? inner.tools),
    config: config === undefined ? undefined : { ...inner, tools: undefined },
  });
}

function normalTools(tools: Value | undefined): Value | undefined {
  if (tools === undefined || tools === null) return undefined;
  const list = (isArray(tools) ? tools : [tools]) as readonly ObjectValue[];
  const functions = list.flatMap((tool) => (tool.functionDeclarations ?? tool.function_declarations ?? []) as readonly Value[]);
  const others = list.filter((tool) => tool.functionDeclarations === undefined && tool.function_declarations === undefined);
  return [...others, functions];
}

function normalContent(content: ObjectValue): ObjectValue {
  const parts = ((content.parts ?? []) as readonly ObjectValue[]).map(normalPart);
  const said = parts.filter((part) => !(Object.keys(part).length === 1 && String(part.text ?? "x").trim() === ""));
  return { role: content.role ?? "user", parts: said };
}

function normalPart(part: ObjectValue): ObjectValue {
  const { function_call, function_response, ...rest } = part;
  return {
    ...rest,
    ...(function_call === undefined ? {} : { functionCall: function_call }),
    ...(function_response === undefined ? {} : { functionResponse: function_response }),
  } as ObjectValue;
}

// The recordings come in five shapes.

function asHost(request: ObjectValue): ObjectValue {
  return typeof request.model === "string" ? request : { ...request, model: "gemini-2.5-flash" };
}

function recorded(): readonly Exchange[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly wires: readonly { readonly file: string; readonly formats?: readonly string[] }[];
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const wires = index.wires.filter(({ formats }) => formats?.includes("gemini")).flatMap(({ file }) => exchangesOf(file));
  const sessions = index.sessions.filter(({ format }) => format === "gemini-contents").map(({ file }) => sessionOf(file));
  return [...wires, ...sessions];
}

/** A history, as one request that ends before the reply that is still open. */
function sessionOf(file: string): Exchange {
  const { contents, systemInstruction, tools } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
  const list = contents as readonly ObjectValue[];
  const end = list.findLastIndex(({ role }) => role !== "model") + 1;
  return { file, request: copyValue({ contents: list.slice(0, end), systemInstruction, tools }) as ObjectValue };
}

function exchangesOf(file: string): readonly Exchange[] {
  const text = readFileSync(join(folder, file), "utf8");
  const lines = (): readonly unknown[] => text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line)]));
  if (file.endsWith(".chunks.txt")) return [{ file, stream: copyValue(lines()) as readonly ObjectValue[] }];
  if (file.endsWith(".jsonl")) return lines().map((line) => answered(file, (copyValue(line) as ObjectValue).response));
  const whole = copyValue(JSON.parse(text)) as ObjectValue;
  if (isArray(whole.interactions)) {
    const ours = (whole.interactions as readonly ObjectValue[]).filter(({ format }) => format === "gemini");
    return ours.map((interaction) => exchange(file, interaction));
  }
  return [isObject(whole.request) ? exchange(file, whole) : answered(file, whole)];
}

function exchange(file: string, { request, response }: ObjectValue): Exchange {
  const { body } = request as ObjectValue;
  const { sse, body: answer } = response as ObjectValue;
  const asked = isObject(body) && body.contents !== undefined ? { request: body } : {};
  return { ...answered(file, typeof sse === "string" ? eventsOf(sse) : answer), ...asked };
}

function answered(file: string, answer: Value | undefined): Exchange {
  if (isArray(answer)) return { file, stream: answer as readonly ObjectValue[] };
  return isObject(answer) && (answer.candidates !== undefined || answer.error !== undefined) ? { file, reply: answer } : { file };
}

function eventsOf(text: string): Value {
  return copyValue(text.split("\n").flatMap((line) => (line.startsWith("data:") ? [JSON.parse(line.slice(5))] : [])));
}
