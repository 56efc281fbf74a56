import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { anthropic } from "../src/adapters/anthropic/index.ts";
import { createSession, type Source, SourceValueError, state } from "../src/index.ts";

type Task = { step: string; open: string[] };

const sources: readonly (readonly [name: string, source: Source<Task>])[] = [
  ["zod", state("task", { schema: z.object({ step: z.string().trim(), open: z.array(z.string()) }) })],
  ["valibot", state("task", { schema: v.object({ step: v.pipe(v.string(), v.trim()), open: v.array(v.string()) }) })],
  ["arktype", state("task", { schema: type({ step: "string.trim", open: "string[]" }) })],
];

describe.each(sources)("a state typed by %s", (_name, task) => {
  test("keeps what the schema makes of a value, and names the place of what it refuses", async () => {
    const session = createSession({ wire: anthropic(), sources: [task] });
    session.set(task, { step: " read ", open: ["a"] });
    const turn = await session.prepare({ model: "claude-opus-5-5", max_tokens: 9, messages: [{ role: "user", content: "Go." }] });
    expect(turn.said).toMatchObject([{ source: "task", value: { step: "read", open: ["a"] } }]);
    const wrong = { step: "read", open: [1] } as unknown as Task;
    expect(() => session.set(task, wrong)).toThrow(SourceValueError);
    expect(() => session.set(task, wrong)).toThrow(/refused at \$\.open\[0\]/);
  });
});

test("a state's value is typed by its schema", () => {
  const task = state("task", { schema: z.object({ step: z.string() }) });
  expectTypeOf(task).toEqualTypeOf<Source<{ step: string }>>();
  const session = createSession({ wire: anthropic(), sources: [task] });
  // @ts-expect-error: a step is a text
  expect(() => session.set(task, { step: 1 })).toThrow(SourceValueError);
  const shown = state("shown", { schema: z.object({ at: z.string().transform(Number) }), render: ({ at }) => `at ${at + 1}` });
  expectTypeOf(shown).toEqualTypeOf<Source<{ at: string }>>();
});
