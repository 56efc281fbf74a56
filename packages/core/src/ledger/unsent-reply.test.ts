import { expect, test } from "vitest";
import { openaiResponses } from "../adapters/openai-responses/index.ts";
import { createSession } from "../session/create-session.ts";

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const unsent = "a reply of reasoning only, which the wire does not take, answers nothing";
const thought = (id: string) => ({ type: "reasoning", id, summary: [], encrypted_content: `sealed ${id}` });

test(`${unsent} that is asked behind it: that may still change (rule 2)`, async () => {
  const session = createSession({ wire: openaiResponses(), strict: true, selfCheck: true });
  const ask = (...input: readonly object[]) => session.prepare({ model: "gpt-5.5", input });
  await ask(user("one"));
  const history = [user("one"), said("1"), user("two"), thought("r1")];
  await ask(...history.slice(0, 3));
  const asked = await ask(...history, user("three"));
  expect(asked.request.input).toHaveLength(4);
  const changed = await ask(...history, user("four"));
  expect(changed.continuity.checkpoints).toEqual([]);
  expect(changed.request.input).toEqual([...history.slice(0, 3), user("four")].map((item) => expect.objectContaining(item)));
});

test("the same where it was several items: none of them is the reply to what was asked behind it (rules 2 and 6)", async () => {
  const session = createSession({ wire: openaiResponses(), strict: true, selfCheck: true });
  const ask = (...input: readonly object[]) => session.prepare({ model: "gpt-5.5", input });
  const history = [user("one"), said("1"), user("two"), thought("r1"), thought("r2")];
  await ask(...history.slice(0, 1));
  (await ask(...history.slice(0, 3))).settle({ object: "response", status: "completed", output: history.slice(3) });
  await ask(...history, user("three"));
  const changed = await ask(...history, user("four"));
  expect(changed.continuity.checkpoints).toEqual([]);
  expect(changed.request.input).toHaveLength(4);
});

test(`${unsent} that stands before it, either (rule 2)`, async () => {
  const session = createSession({ wire: openaiResponses(), strict: true, selfCheck: true });
  const ask = (...input: readonly object[]) => session.prepare({ model: "gpt-5.5", input });
  const start = [user("one"), said("1")];
  await ask(...start.slice(0, 1));
  await ask(...start, user("two"));
  await ask(...start, user("two"), thought("r1"), user("three"));
  const { continuity, request } = await ask(...start, user("another"), thought("r1"), user("three"), said("3"), user("four"));
  expect(continuity.checkpoints).toMatchObject([{ reason: "history", at: 2 }]);
  expect(request.input).toHaveLength(6);
  await ask(...start, user("another"), thought("r1"), user("three"), said("3"), user("four"), thought("r2"), user("five"));
  const corrected = await ask(
    ...start,
    user("another"),
    thought("r1"),
    user("three"),
    said("3"),
    user("FOUR"),
    thought("r2"),
    user("five"),
  );
  expect(corrected.continuity.checkpoints).toEqual([]);
});
