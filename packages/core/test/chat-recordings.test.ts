import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { type DialectName, openaiChat } from "../src/adapters/openai-chat/index.ts";
import { sameValue } from "../src/json/compare.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";
import { sameUnit, type Unit } from "../src/wire/unit.ts";

// Recorded exchanges of public projects; they are beside the repository and never in it.
const folder = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const isPresent = existsSync(join(folder, "INDEX.json"));
if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to read them. Skipped.`);

/** Whose dialect an address speaks; the recordings say no more. */
const hosts: readonly (readonly [string, DialectName])[] = [
  ["openrouter.ai", "openrouter"],
  ["ai-gateway.vercel.sh", "openrouter"],
  ["mistral.ai", "mistral"],
  ["groq.com", "groq"],
  ["deepseek.com", "deepseek"],
  ["cerebras.ai", "cerebras"],
  ["x.ai", "xai"],
  ["z.ai", "kimi"],
];
const files: readonly (readonly [string, DialectName])[] = [
  ["/alibaba/", "qwen"],
  ["/deepseek", "deepseek"],
  ["/groq/", "groq"],
  ["/mistral/", "mistral"],
  ["/moonshotai/", "kimi"],
  ["/xai/", "xai"],
  ["/openhands/", "openrouter"],
];

type Exchange = {
  readonly file: string;
  readonly dialect: DialectName;
  readonly request: ObjectValue | undefined;
  readonly reply: Value | undefined;
};

const exchanges = isPresent ? recorded() : [];
const requests = exchanges.flatMap(({ request, ...rest }) => (request === undefined ? [] : [{ ...rest, request }]));
const replies = exchanges.flatMap(({ reply, ...rest }) => (isObject(reply) && isCompletion(reply) ? [{ ...rest, reply }] : []));
const streams = exchanges.flatMap(({ reply, ...rest }) =>
  isArray(reply) && reply.every((chunk) => isObject(chunk) && !isText(chunk)) ? [{ ...rest, reply }] : [],
);
const errors = exchanges.flatMap(({ reply, file }) => (isObject(reply) && isObject(reply.error) ? [{ file, reply }] : []));

describe.runIf(isPresent)("recorded Chat Completions", () => {
  it("are all there", () => {
    expect({ requests: requests.length > 350, replies: replies.length > 320, streams: streams.length >= 50 }).toEqual({
      requests: true,
      replies: true,
      streams: true,
    });
  });

  it("are recognised as this wire's requests", () => {
    const strangers = requests.filter(({ request }) => !openaiChat().recognises(request)).map(({ file }) => file);
    expect(strangers).toEqual([]);
  });

  it("open, and close to what they were", () => {
    const changed: string[] = [];
    for (const { file, dialect, request } of requests) {
      const wire = openaiChat({ dialect });
      const whole = { ...request, model: request.model ?? "unnamed" } as unknown as { model: string; messages: object[] };
      const opened = wire.open(whole);
      const messages = opened.messages.map((message) => composedAgain(wire, copyValue(message) as ObjectValue));
      const closed = copyValue(wire.close(whole, opened.head, messages)) as ObjectValue;
      const marked = copyValue(
        wire.mark(closed as unknown as typeof whole, {
          mode: "off",
          ttl: undefined,
          hostMarks: opened.headMarks,
          repeatsTo: -1,
          lagging: undefined,
        }),
      ) as ObjectValue;
      if (!sameValue(normalRequest(whole as unknown as ObjectValue, dialect), normalRequest(closed, dialect))) changed.push(file);
      if (!sameValue(normalRequest(whole as unknown as ObjectValue, dialect), normalRequest(marked, dialect)))
        changed.push(`${file} (marked)`);
    }
    expect(changed).toEqual([]);
  });

  it("are read alike before and after composing (rule 4)", () => {
    const other: string[] = [];
    for (const { file, dialect, request } of requests) {
      const wire = openaiChat({ dialect });
      for (const message of request.messages as readonly ObjectValue[]) {
        const { units } = wire.read(message);
        const again = wire.read(composedAgain(wire, message)).units;
        if (!sameUnits(visible(units, dialect), again)) other.push(`${file}: ${JSON.stringify(message).slice(0, 120)}`);
      }
    }
    expect(other).toEqual([]);
  });

  it("keep what their servers replied, whole and with its usage", () => {
    for (const { file, dialect, reply } of replies) {
      const wire = openaiChat({ dialect });
      const { messages, finished, usage } = wire.readReply(reply);
      expect(finished, file).toBe(true);
      const received = (reply.choices as readonly ObjectValue[])[0]?.message as ObjectValue;
      const bearsContent = [received.content, received.tool_calls, received.reasoning, received.reasoning_content].some(
        (member) => member !== null && member !== undefined && member !== "" && !(isArray(member) && member.length === 0),
      );
      expect(messages.length > 0, file).toBe(bearsContent);
      expect(usage.prompt, file).toBe((reply.usage as ObjectValue).prompt_tokens);
      const parts = (usage.uncached ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
      if (usage.cacheRead !== undefined) expect(parts, file).toBe(usage.prompt);
    }
  });

  it("are put together from their streams", () => {
    for (const { file, dialect, reply: chunks } of streams) {
      const wire = openaiChat({ dialect });
      const accumulator = wire.accumulator();
      for (const chunk of chunks as readonly ObjectValue[]) accumulator.add(chunk);
      const { reply, finished } = accumulator.reply();
      const ends = choicesIn(chunks).some((choice) => typeof choice.finish_reason === "string" && choice.finish_reason !== "error");
      const failed = (chunks as readonly ObjectValue[]).some(({ error }) => error !== undefined);
      expect(finished, file).toBe(ends && !failed);
      const { messages, usage } = wire.readReply(reply);
      if (!finished) continue;
      expect(messages, file).toHaveLength(1);
      const calls = wire.read(messages[0] as ObjectValue).units.filter((unit) => unit.kind === "call");
      for (const call of calls) expect(typeof call.value, `${file}: ${JSON.stringify(call.block)}`).toBe("object");
      const reports = (chunks as readonly ObjectValue[]).some(
        (chunk) => isObject(chunk.usage) || isObject((chunk.x_groq as ObjectValue | undefined)?.usage ?? null),
      );
      expect(usage.prompt !== undefined, file).toBe(reports);
    }
  });

  it("name an overflow where the server spoke of one, and nowhere else", () => {
    const found = errors.filter(({ reply }) => openaiChat().readOverflow(reply) !== undefined).map(({ file }) => file);
    const meant = errors.filter(({ file }) => file.includes("context_length")).map(({ file }) => file);
    // Azure answered such a request with a rate limit.
    expect(found).toEqual(meant.filter((file) => !file.includes("azure")));
  });
});

function composedAgain(wire: ReturnType<typeof openaiChat>, message: ObjectValue): ObjectValue {
  const { nativeRole, units } = wire.read(message);
  return wire.compose(nativeRole, units);
}

/** Units that go out in a dialect: two have no field for reasoning. */
function visible(units: readonly Unit[], dialect: DialectName): readonly Unit[] {
  return dialect === "openai" || dialect === "groq" ? units.filter(({ kind }) => kind !== "reasoning") : units;
}

function sameUnits(a: readonly Unit[], b: readonly Unit[]): boolean {
  return a.length === b.length && a.every((unit, index) => alike(unit, b[index] as Unit));
}

function alike(a: Unit, b: Unit): boolean {
  return a.kind === "reasoning" && b.kind === "reasoning" ? a.readable === b.readable && a.bound === b.bound : sameUnit(a, b);
}

// What the wire documents as alike, written a second time and plainly.

function normalRequest(request: ObjectValue, dialect: DialectName): Value {
  const { tools, messages, cache_control: _mark, ...rest } = request;
  const list = (messages as readonly ObjectValue[])
    .map((message) => normalMessage(message, dialect))
    .filter((message) => message !== undefined);
  return copyValue({ ...rest, tools: isArray(tools) && tools.length > 0 ? tools.map(withoutMark) : undefined, messages: list });
}

function normalMessage(message: ObjectValue, dialect: DialectName): Value | undefined {
  const { content, tool_calls, reasoning, reasoning_content, reasoning_details, cache_control: _mark, annotations, ...rest } = message;
  const sent = dialect !== "openai" && dialect !== "groq";
  const details = isArray(reasoning_details) && reasoning_details.length > 0 ? reasoning_details : undefined;
  const plain = [reasoning_content, reasoning].find((text) => typeof text === "string" && text !== "");
  const parts = normalContent(content, sent);
  const named = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const calls =
    isArray(tool_calls) && tool_calls.length > 0 ? tool_calls.map((call) => normalCall(call as ObjectValue, dialect)) : undefined;
  const noted = isArray(annotations) && annotations.length > 0 ? annotations : undefined;
  return copyValue({
    ...named,
    content: parts,
    tool_calls: calls,
    annotations: noted,
    details: sent && dialect === "openrouter" ? details : undefined,
    reasoning: sent && !(dialect === "openrouter" && details !== undefined) ? plain : undefined,
  });
}

function normalContent(content: Value | undefined, thinks: boolean): Value | undefined {
  if (content === null || content === undefined || content === "") return undefined;
  if (typeof content === "string") return content.trim() === "" ? undefined : [{ type: "text", text: content }];
  const parts = (content as readonly ObjectValue[]).filter((part) => thinks || part.type !== "thinking").map(withoutMark);
  return parts.length === 0 ? undefined : parts;
}

function normalCall(call: ObjectValue, dialect: DialectName): Value {
  const { index: _index, cache_control: _mark, function: named, ...rest } = call;
  const inner = named as ObjectValue;
  const received = inner.arguments ?? "{}";
  const args = typeof received === "string" || dialect === "mistral" ? received : JSON.stringify(received);
  return { type: "function", ...rest, function: { ...inner, arguments: args } };
}

function withoutMark(part: Value): ObjectValue {
  const { cache_control: _control, prompt_cache_breakpoint: _breakpoint, ...rest } = part as ObjectValue;
  return rest as ObjectValue;
}

// The recordings come in four shapes.

function recorded(): readonly Exchange[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly wires: readonly { readonly file: string; readonly formats?: readonly string[] }[];
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const wires = index.wires.filter(({ formats }) => formats?.includes("openai-chat")).flatMap(({ file }) => exchangesOf(file));
  const sessions = index.sessions.filter(({ format }) => format.startsWith("openai-chat")).map(({ file }) => sessionOf(file));
  return [...wires, ...sessions];
}

/** A whole history, as one request. */
function sessionOf(file: string): Exchange {
  const { messages, tools, functions } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
  return { file, dialect: "openai", request: copyValue({ messages, tools, functions }) as ObjectValue, reply: undefined };
}

function exchangesOf(file: string): readonly Exchange[] {
  const text = readFileSync(join(folder, file), "utf8");
  const own = files.find(([part]) => file.includes(part))?.[1] ?? "openai";
  if (file.endsWith(".sse")) return [{ file, dialect: own, request: undefined, reply: chunksOf(text) }];
  if (file.endsWith(".chunks.txt"))
    return [
      {
        file,
        dialect: own,
        request: undefined,
        reply: copyValue(
          text
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        ),
      },
    ];
  const whole = copyValue(JSON.parse(text)) as ObjectValue;
  if (isArray(whole.interactions)) {
    const chats = (whole.interactions as readonly ObjectValue[]).filter(({ format }) => format === "openai-chat");
    return chats.map((interaction) => exchange(file, interaction));
  }
  if (isObject(whole.request)) return [exchange(file, whole)];
  if (isArray(whole.messages)) {
    const { messages, tools } = whole;
    return [{ file, dialect: own, request: copyValue({ messages, tools: tools ?? undefined }) as ObjectValue, reply: whole.response }];
  }
  return [{ file, dialect: own, request: undefined, reply: whole }];
}

function exchange(file: string, { request, response }: ObjectValue): Exchange {
  const { url, body } = request as { readonly url: string; readonly body: Value };
  const dialect = hosts.find(([host]) => url.includes(host))?.[1] ?? "openai";
  return { file, dialect, request: isObject(body) && isArray(body.messages) ? body : undefined, reply: bodyOf(response as ObjectValue) };
}

function choicesIn(chunks: readonly Value[]): readonly ObjectValue[] {
  return (chunks as readonly ObjectValue[]).flatMap(({ choices }) => (isArray(choices) ? (choices as readonly ObjectValue[]) : []));
}

function bodyOf({ body, sse }: ObjectValue): Value | undefined {
  if (typeof sse === "string") return chunksOf(sse);
  const data = isObject(body) ? (body.__data__ ?? body) : body;
  return isArray(data) ? data.map((chunk) => (isObject(chunk) ? (chunk.__data__ ?? chunk) : chunk)) : data;
}

function chunksOf(text: string): Value {
  const lines = text.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []));
  return copyValue(lines.filter((line) => line !== "[DONE]").map((line) => JSON.parse(line)));
}

function isCompletion(reply: ObjectValue): boolean {
  return isArray(reply.choices) && !isText(reply);
}

/** The older completions surface shares some files. */
function isText(reply: ObjectValue): boolean {
  return reply.object === "text_completion";
}
