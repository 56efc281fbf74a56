import { describe, expect, it } from "vitest";
import type { SummaryInput } from "../../wire/summarizer.ts";
import { anthropicSummarizer } from "./summarizer.ts";

const input: SummaryInput = {
  ...{ instructions: "Write it down.", transcript: "[user]\nhi", previous: undefined, tokensMax: 500 },
  request: { model: "claude-opus-5-5", max_tokens: 9, stream: true, messages: [{ role: "user", content: "hi" }] },
  headers: { "anthropic-beta": "a" },
};
const { signal } = new AbortController();

function clientOf(reply: object) {
  const sent: { body: object; options: object }[] = [];
  const create = async (body: object, options: object): Promise<object> => {
    sent.push({ body, options });
    return reply;
  };
  return { sent, client: { messages: { create } } };
}

describe("a summary by Anthropic's client", () => {
  it("rides the prefix: the window's own request with room for the summary, its headers and the signal", async () => {
    const { sent, client } = clientOf({
      content: [{ type: "text", text: "SUMMARY" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 2 },
    });
    const summary = await anthropicSummarizer(client)(input, { signal });
    expect(summary).toMatchObject({ text: "SUMMARY", complete: true, refused: false, usage: { prompt: 3, output: 2 } });
    expect(sent[0]?.body).toEqual({ ...input.request, max_tokens: 1_000, stream: false });
    expect(sent[0]?.options).toEqual({ signal, headers: input.headers });
  });

  it("gives another model the flattened text, and no header of the window's request", async () => {
    const { sent, client } = clientOf({ content: [], stop_reason: "max_tokens" });
    expect(await anthropicSummarizer(client, { model: "claude-haiku-5-5" })(input, { signal })).toMatchObject({
      text: "",
      complete: false,
    });
    expect(sent[0]?.body).toMatchObject({ model: "claude-haiku-5-5", system: "Write it down.", messages: [{ content: "[user]\nhi" }] });
    expect(sent[0]?.options).toEqual({ signal, headers: {} });
  });

  it("says that the model declined", async () => {
    const { client } = clientOf({ content: [], stop_reason: "refusal" });
    expect(await anthropicSummarizer(client)(input, { signal })).toMatchObject({ refused: true });
  });
});
