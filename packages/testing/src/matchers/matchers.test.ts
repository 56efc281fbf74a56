import { anthropic } from "@tidemark/core/anthropic";
import { openaiChat } from "@tidemark/core/openai-chat";
import { describe, expect, test } from "vitest";
import "../vitest.ts";
import { toContinue } from "./to-continue.ts";
import { toKeepPrefix } from "./to-keep-prefix.ts";

const user = (content: unknown) => ({ role: "user", content });
const thinking = (seal: string) => ({ type: "thinking", thinking: "hm", signature: seal });
const reply = (text: string, seal = "s1") => ({ role: "assistant", content: [thinking(seal), { type: "text", text }] });
const request = (...messages: object[]) => ({
  model: "claude-opus-5-5",
  max_tokens: 100,
  system: "You keep the log of a ferry.",
  messages,
});

const notes = `My notes: ${"the ferry leaves at six. ".repeat(40)}The captain is Ada.`;
const first = request(user(notes));
const second = request(user(notes), reply("Thanks."), user("And now?"));
const edited = request(user(notes.replace("Ada", "Bea")), reply("Thanks."), user("And now?"));

function failure(run: () => void): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the matcher did not fail");
}

describe("a failure says what keeps the prefix", () => {
  const tool = (name: string) => ({ name, input_schema: { type: "object" } });
  const encoded = (data: string) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
  const picture = (data: string) => user([encoded(data)]);
  const base = { ...request(picture("AAAA"), reply("Thanks."), user("And now?")), tools: [tool("a"), tool("b")] };
  const changed = (change: object) => ({ ...base, ...change });

  test.each([
    ["a clock in the system text", changed({ system: "It is noon." }), "send the system text as it was first sent, and say what changes"],
    ["a new tool in front", changed({ tools: [tool("c"), ...base.tools] }), "new ones behind them"],
    ["another model", changed({ model: "claude-haiku-5-5" }), "keep one model for a conversation"],
    ["another setting", changed({ thinking: { type: "enabled", budget_tokens: 2_000 } }), "keep this parameter"],
    [
      "reasoning that is gone",
      changed({ messages: [base.messages[0], { role: "assistant", content: [{ type: "text", text: "Thanks." }] }] }),
      "its reasoning too",
    ],
    ["an encoded picture", changed({ messages: [picture("BBBB"), ...base.messages.slice(1)] }), "send the same bytes again"],
    ["an edit", changed({ messages: [...base.messages.slice(0, 2), user("And then?")] }), "say what changed in a new message"],
    ["a message that is gone", changed({ messages: base.messages.slice(0, 2) }), "send again what was sent"],
    ["a message in between", changed({ messages: [user("First:"), ...base.messages] }), "put what is new behind the last message"],
  ])("%s", (_title, next, step) => {
    expect(failure(() => expect(next).toContinue(base))).toContain("To keep the prefix: ");
    expect(failure(() => expect(next).toContinue(base))).toContain(step);
  });

  test.each([
    ["tools in another order", changed({ tools: base.tools.toReversed() }), "in the order in which they were first sent"],
    [
      "a cache mark",
      changed({ messages: [user([{ ...encoded("AAAA"), cache_control: { type: "ephemeral" } }]), ...base.messages.slice(1)] }),
      "leave cache marks where they were",
    ],
    [
      "a text in a block",
      changed({ messages: [...base.messages.slice(0, 2), user([{ type: "text", text: "And now?" }])] }),
      "a string or blocks",
    ],
  ])("%s, to a local server", (_title, next, step) => {
    expect(failure(() => expect(next).toContinue(base, { strength: "bytes" }))).toContain(step);
  });
});

describe("what is no request is told, with what to hand over", () => {
  test.each([
    [undefined, "This is of type undefined: was no request made?"],
    [null, "This is null"],
    [JSON.stringify(first), "hand over JSON.parse(text)"],
    [[first], "toKeepPrefix takes a list of them"],
    [{ body: first, status: 200 }, "hand over requests.map(({ body }) => body)"],
  ])("%j", (given, problem) => {
    expect(() => toContinue(given as never, first)).toThrow(problem);
    expect(() => toContinue(first, given as never)).toThrow(problem);
    expect(() => toKeepPrefix([first, given as never])).toThrow(problem);
  });

  test("a wrong option is named", () => {
    expect(() => toContinue(second, first, { strenght: "bytes" } as never)).toThrow("toContinue has no option strenght");
    expect(() => toKeepPrefix([first], { strength: "byte" } as never)).toThrow('"bytes" or "provider"');
  });
});

describe("toContinue", () => {
  test("passes for a request that appends, and for what the provider does not read", () => {
    expect(second).toContinue(first);
    expect(request(user([{ type: "text", text: notes, cache_control: { type: "ephemeral" } }]))).toContinue(first);
    expect(edited).not.toContain(first);
    expect(edited).not.toContinue(first);
  });

  test("its message shows the place, the class, both values around the difference, and what it costs", () => {
    const message = failure(() => expect(edited).toContinue(second));
    expect(message).toContain("The request does not continue the one before it.");
    expect(message).toContain("edit at $.messages[0].content");
    expect(message).toMatch(/previous: ….*The captain is Ada\."/);
    expect(message).toMatch(/next: {5}….*The captain is Bea\."/);
    expect(message).toMatch(/About [\d,]+ tokens of the previous request stand behind this place/);
    expect(message).toContain("Signed reasoning that is no longer valid in the next request: $.messages[1].content[0].");
    expect(message).toContain("Compared as anthropic requests.");
    expect(message.length).toBeLessThan(900);
  });

  test("an element that was put in or taken out stands against nothing", () => {
    const message = failure(() => expect(request(user("new"), ...first.messages)).toContinue(first));
    expect(message).toContain("insertion at $.messages[0]");
    expect(message).toContain("previous: nothing");
    expect(message).toContain('next:     {"role":"user","content":"new"}');
    expect(failure(() => expect(first).toContinue(second))).toContain("removal at $.messages[1]");
  });

  test("with strength bytes it also sees what only a local cache sees, and says so", () => {
    const reordered = {
      ...second,
      messages: second.messages.map(({ ...message }) => Object.fromEntries(Object.entries(message).reverse())),
    };
    expect(reordered).toContinue(second);
    const message = failure(() => expect(reordered).toContinue(second, { strength: "bytes" }));
    expect(message).toContain("order at $.messages[0]");
    expect(message).toContain('The provider does not read this difference; a local server\'s cache does (strength: "bytes").');
  });

  test("a wire that is named is not guessed", () => {
    const plain = { model: "some-model", messages: [user("one")] };
    const blocks = { model: "some-model", messages: [user("one"), user("two")] };
    expect(toContinue(blocks, plain, { wire: anthropic() }).pass).toBe(true);
    expect(failure(() => expect({ ...plain, model: "m" }).toContinue(plain, { wire: openaiChat() }))).toContain(
      "Compared as openai-chat requests.",
    );
  });

  test("its negation names what it expected", () => {
    expect(failure(() => expect(second).not.toContinue(first))).toBe(
      "Expected the request not to continue the one before it, but it does.",
    );
  });

  test("what is no request of any wire is an error, not a failure", () => {
    expect(() => toContinue({ input: "x" }, first)).toThrow(expect.objectContaining({ code: "wire-unknown" }));
  });
});

describe("toKeepPrefix", () => {
  test("passes for requests that each continue the one before, for one request and for none", () => {
    expect([first, second, request(...second.messages, reply("Now we wait.", "s2"), user("Good."))]).toKeepPrefix();
    expect([first]).toKeepPrefix();
    expect([]).toKeepPrefix();
  });

  test("names the first pair that does not", () => {
    const message = failure(() => expect([first, second, edited]).toKeepPrefix());
    expect(message).toContain("Request 2 of 3 (counted from 0) does not continue request 1.");
    expect(message).toContain("edit at $.messages[0].content");
  });

  test("takes the strength, and refuses what is no list", () => {
    const shaped = request(user([{ type: "text", text: notes }]));
    expect([first, shaped]).toKeepPrefix();
    expect([first, shaped]).not.toKeepPrefix({ strength: "bytes" });
    expect(() => toKeepPrefix(first as never)).toThrow(TypeError);
  });
});
