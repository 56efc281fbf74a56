import { describe, expect, it } from "vitest";
import type { ObjectValue, Value } from "../../json/value.ts";
import { ResponsesAccumulator } from "./accumulator.ts";
import { readReply } from "./reply.ts";

const reasoning = (id: string) => ({ type: "reasoning", id, summary: [], encrypted_content: `code-${id}` });
const message = (id: string, text: string) => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const call = (id: string, args: string) => ({
  type: "function_call",
  id,
  call_id: `call_${id}`,
  name: "look",
  arguments: args,
  status: "completed",
});
const done = (output_index: number, item: Value) => ({ type: "response.output_item.done", output_index, item });
const added = (output_index: number, item: Value) => ({ type: "response.output_item.added", output_index, item });
const text = (delta: string, place: object = {}) => ({ type: "response.output_text.delta", content_index: 0, delta, ...place });
const completed = (output: Value = [], more: ObjectValue = {}) => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output, ...more },
});

function put(...events: readonly object[]): {
  readonly output: readonly ObjectValue[];
  readonly finished: boolean;
  readonly reply: object;
} {
  const accumulator = new ResponsesAccumulator();
  for (const event of events) accumulator.add(event);
  const { reply, finished } = accumulator.reply();
  return { reply, finished, output: (reply as { readonly output: readonly ObjectValue[] }).output };
}

const ids = (output: readonly ObjectValue[]): readonly unknown[] => output.map(({ id }) => id);

describe("items of a stream", () => {
  it("stand in the order of their output_index, whenever they come", () => {
    const { output, finished } = put(
      done(2, call("fc_1", "{}")),
      done(0, reasoning("rs_1")),
      done(1, message("msg_1", "So.")),
      completed(),
    );
    expect(ids(output)).toEqual(["rs_1", "msg_1", "fc_1"]);
    expect(finished).toBe(true);
  });

  it("leave gaps open until they are filled", () => {
    const { output } = put(done(3, message("msg_3", "c")), done(1, message("msg_1", "b")), done(0, message("msg_0", "a")), completed());
    expect(ids(output)).toEqual(["msg_0", "msg_1", "msg_3"]);
  });

  it("without an index are never taken for the first one", () => {
    const bare = { type: "response.output_item.done", item: message("msg_9", "last") };
    const { output } = put(done(0, reasoning("rs_1")), done(1, message("msg_1", "first")), bare, completed());
    expect(ids(output)).toEqual(["rs_1", "msg_1", "msg_9"]);
  });

  it("are the native ones of their done events", () => {
    const native = { ...message("msg_1", "Whole."), phase: "final_answer", unknown: { a: [1] } };
    const { output } = put(added(0, { ...native, content: [] }), text("Who", { output_index: 0 }), done(0, native), completed());
    expect(output).toEqual([native]);
  });

  it("keep their finished form, whatever the terminal snapshot says", () => {
    const other = [message("msg_1", "Another text."), call("fc_1", '{"a":1}')];
    const { output } = put(done(0, message("msg_1", "The text.")), completed(other));
    expect(output).toEqual([message("msg_1", "The text."), call("fc_1", '{"a":1}')]);
  });

  it("are not dropped by a snapshot that lacks them", () => {
    const { output } = put(done(0, message("msg_1", "One.")), done(1, message("msg_2", "Two.")), completed([message("msg_2", "Two.")]));
    expect(ids(output)).toEqual(["msg_1", "msg_2"]);
  });

  it("are filled in by id where no done event came", () => {
    const begun = { ...message("msg_1", ""), content: [] };
    const { output } = put(
      added(0, begun),
      text("Ha", { output_index: 0, item_id: "msg_1" }),
      completed([message("msg_1", "Half and whole.")]),
    );
    expect(output).toEqual([message("msg_1", "Half and whole.")]);
  });

  it("are not erased by an empty terminal output", () => {
    expect(put(done(0, message("msg_1", "Kept.")), completed([])).output).toEqual([message("msg_1", "Kept.")]);
  });

  it("with neither index nor id keep their text in order of arrival, and get no identity", () => {
    const { output, finished } = put(
      done(0, message("msg_1", "First.")),
      text("Sec"),
      text("ond."),
      completed([message("msg_1", "First."), message("msg_2", "Second.")]),
    );
    expect(finished).toBe(true);
    expect(output.map(({ content }) => (content as readonly [ObjectValue])[0].text)).toEqual(["First.", "Second."]);
    expect(ids(output)).toEqual([undefined, undefined]);
  });

  it("that are malformed are left out, their text stays, and nothing native is claimed", () => {
    const { output, finished } = put(
      done(0, reasoning("rs_1")),
      text("What was ", { output_index: 1, item_id: "msg_1" }),
      text("said.", { output_index: 1, item_id: "msg_1" }),
      done(1, { type: "message", id: "msg_1", role: "assistant", content: "not a list" }),
      completed(),
    );
    expect(finished).toBe(true);
    expect(output).toEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "What was said.", annotations: [] }] },
    ]);
  });

  it("take final arguments before deltas", () => {
    const place = { output_index: 0, item_id: "fc_1" };
    const { output } = put(
      added(0, { ...call("fc_1", ""), status: "in_progress" }),
      { type: "response.function_call_arguments.delta", delta: '{"a":', ...place },
      { type: "response.function_call_arguments.delta", delta: "broken", ...place },
      { type: "response.function_call_arguments.done", arguments: '{"a":1}', ...place },
      done(0, call("fc_1", "")),
      completed(),
    );
    expect(output[0]?.arguments).toBe('{"a":1}');
  });

  it("take an absent summary for an empty one", () => {
    const { summary: _summary, ...bare } = reasoning("rs_1");
    const { reply } = put(done(0, bare), done(1, message("msg_1", "So.")), completed());
    expect(readReply(reply).messages[0]).toMatchObject({ id: "rs_1", summary: [] });
  });

  it("may be refusals", () => {
    const { output } = put(
      { type: "response.refusal.delta", delta: "I must ", output_index: 0, content_index: 0 },
      { type: "response.refusal.done", refusal: "I must not.", output_index: 0, content_index: 0 },
      completed(),
    );
    expect(output).toEqual([{ type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I must not." }] }]);
  });

  it("may come in the terminal event only", () => {
    const usage = { input_tokens: 12, output_tokens: 3 };
    const { output, reply } = put(completed([reasoning("rs_1"), message("msg_1", "All at once.")], { usage }));
    expect(ids(output)).toEqual(["rs_1", "msg_1"]);
    expect(readReply(reply).usage).toMatchObject({ prompt: 12, output: 3 });
  });
});

describe("a stream that did not complete", () => {
  const begun = [done(0, reasoning("rs_1")), done(1, message("msg_1", "Half")), text(" a th", { output_index: 2 })];

  it.each([
    ["was cut", []],
    [
      "is incomplete",
      [{ type: "response.incomplete", response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } }],
    ],
    ["failed", [{ type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "Oh." } } }]],
    ["ended in an error", [{ type: "error", code: "server_error", message: "Oh." }, completed()]],
  ] as const)("claims no reusable state when it %s", (_how, ending) => {
    const { output, finished, reply } = put(...begun, ...ending);
    expect(finished).toBe(false);
    expect(readReply(reply).finished).toBe(false);
    expect(output.some(({ type }) => type === "reasoning")).toBe(false);
    expect(ids(output)).toEqual([undefined, undefined]);
    expect(output.map(({ content }) => (content as readonly [ObjectValue])[0].text)).toEqual(["Half", " a th"]);
  });

  it("ignores what it does not know", () => {
    const { output } = put({ type: "response.keepalive" }, { nothing: true }, done(0, message("msg_1", "x")), completed());
    expect(ids(output)).toEqual(["msg_1"]);
  });
});
