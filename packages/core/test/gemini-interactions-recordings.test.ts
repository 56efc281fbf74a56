import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { geminiInteractions } from "../src/adapters/gemini/index.ts";
import { copyValue, isArray, isObject, type ObjectValue, type Value } from "../src/json/value.ts";

// Recorded exchanges of public projects; they are beside the repository and never in it.
const folder = resolve(process.env.TIDEMARK_DATA ?? join(import.meta.dirname, "../../../../shared/data"));
const isPresent = existsSync(join(folder, "INDEX.json"));
if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to read them. Skipped.`);

type Recorded = {
  readonly file: string;
  readonly request?: ObjectValue;
  readonly reply?: ObjectValue;
  readonly events?: readonly ObjectValue[];
};

const wire = geminiInteractions();
const recordings = isPresent ? recorded() : [];
const of = <K extends "request" | "reply" | "events">(name: K) =>
  recordings.flatMap(({ file, [name]: found }) => (found === undefined ? [] : [{ file, found: found as NonNullable<Recorded[K]> }]));
const replies = of("reply").filter(({ found }) => found.error === undefined);
const refusals = recordings.filter(({ reply }) => reply?.error !== undefined);

describe.runIf(isPresent)("recorded interactions", () => {
  it("are all there", () => {
    expect([of("request").length, replies.length, of("events").length, refusals.length]).toEqual([4, 10, 7, 3]);
  });

  it("open, and close to what they were", () => {
    for (const { file, found } of of("request")) {
      const request = found as unknown as { model: string; input: object };
      const { head, messages } = wire.open(request);
      expect(wire.recognises({ ...found, system_instruction: "" }), file).toBe(true);
      const input = [{ type: "user_input", content: [{ type: "text", text: found.input }] }];
      expect(wire.close(request, head, messages as readonly ObjectValue[]), file).toEqual({ ...found, input });
    }
  });

  it("are refused for their shape where the server refused them, and nowhere else", () => {
    for (const { request, reply } of recordings) {
      if (request === undefined) continue;
      const context = { profile: wire.profile(String(request.model)), betas: undefined, version: undefined };
      const breach = wire.rules.find(({ id }) => id === "GI-01")?.check(request, context);
      expect(breach !== undefined).toBe(
        reply?.error !== undefined && (request.tools as readonly ObjectValue[]).some((tool) => tool.name === undefined),
      );
      expect(reply?.error === undefined || breach !== undefined).toBe(true);
    }
  });

  it("are read step for step, with their usage", () => {
    for (const { file, found } of replies) {
      const { messages, finished, usage } = wire.readReply(found);
      const steps = (found.steps ?? found.outputs) as readonly ObjectValue[];
      expect(finished, file).toBe(true);
      expect(messages, file).toEqual(steps);
      expect(
        wire.spread?.(
          wire.compose(
            "assistant",
            messages.flatMap((message) => wire.read(message).units),
          ),
        ),
        file,
      ).toEqual(steps);
      expect((usage.prompt ?? 0) + (usage.output ?? 0), file).toBe((found.usage as ObjectValue).total_tokens);
    }
  });

  it("are put together from their streams", () => {
    for (const { file, found: events } of of("events")) {
      const accumulator = wire.accumulator();
      const before = JSON.stringify(events);
      for (const event of events) accumulator.add(event);
      expect(JSON.stringify(events)).toBe(before);
      const { reply, finished } = accumulator.reply();
      expect(finished, file).toBe(true);
      const { messages, usage } = wire.readReply(reply);
      const units = messages.flatMap((message) => wire.read(message).units);
      const deltas = events.flatMap(({ delta }) => (isObject(delta) ? [delta] : []));
      const textsIn = (list: readonly ObjectValue[]) => list.map(({ text }) => (typeof text === "string" ? text : "")).join("");
      expect(units.map((unit) => (unit.kind === "text" ? unit.text : "")).join(""), file).toBe(textsIn(deltas));
      expect(JSON.stringify(units), file).toContain(String(deltas.find(({ signature }) => signature !== undefined)?.signature));
      for (const unit of units) if (unit.kind === "call") expect(Object.keys(unit.value as object).length, file).toBeGreaterThan(0);
      expect((usage.prompt ?? 0) + (usage.output ?? 0), file).toBe(
        events
          .flatMap(({ interaction }) => (interaction as ObjectValue | undefined)?.usage ?? [])
          .map((found) => (found as ObjectValue).total_tokens)
          .at(-1),
      );
    }
  });
});

function recorded(): readonly Recorded[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly wires: readonly { readonly file: string; readonly formats?: readonly string[] }[];
  };
  const files = index.wires.filter(
    ({ file, formats }) => formats?.includes("gemini-interactions") || file.includes("llama-stack/gemini-interactions"),
  );
  return files.map(({ file }) => {
    const text = readFileSync(join(folder, file), "utf8");
    if (file.endsWith(".chunks.txt"))
      return {
        file,
        events: copyValue(text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))) as readonly ObjectValue[],
      };
    const whole = copyValue(JSON.parse(text)) as ObjectValue;
    if (!isObject(whole.request)) return { file, reply: whole };
    const body = (whole.request as ObjectValue).payload as Value;
    const reply = (whole.response as ObjectValue).body as ObjectValue;
    return isObject(body) && !isArray(body) ? { file, request: body, reply } : { file, reply };
  });
}
