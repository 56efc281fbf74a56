import { describe, expect, it } from "vitest";
import type { SummaryInput } from "../../wire/summarizer.ts";
import { openaiChatSummarizer } from "./summarizer.ts";

const input: SummaryInput = {
  ...{ instructions: "Write it down.", transcript: "[user]\nhi", previous: undefined, tokensMax: 500, headers: {} },
  request: { model: "gpt-4.1", stream: true, messages: [{ role: "user", content: "hi" }] },
};
const { signal } = new AbortController();

function clientOf(choice: object) {
  const sent: object[] = [];
  const create = async (body: object): Promise<object> => {
    sent.push(body);
    return { choices: [choice] };
  };
  return { sent, client: { chat: { completions: { create } } } };
}

describe("a summary by OpenAI's client", () => {
  it("rides the prefix, or gives another model the flattened text", async () => {
    const { sent, client } = clientOf({ finish_reason: "stop", message: { content: "SUMMARY" } });
    expect(await openaiChatSummarizer(client)(input, { signal })).toEqual({ text: "SUMMARY", complete: true, refused: false });
    await openaiChatSummarizer(client, { model: "gpt-4.1-mini" })(input, { signal });
    expect(sent[0]).toEqual({ ...input.request, stream: false });
    expect(sent[1]).toMatchObject({
      model: "gpt-4.1-mini",
      messages: [{ role: "system", content: "Write it down." }, { content: "[user]\nhi" }],
    });
  });

  it("says that it was cut off or refused", async () => {
    const cut = clientOf({ finish_reason: "length", message: { content: "SUMM" } });
    expect(await openaiChatSummarizer(cut.client)(input, { signal })).toMatchObject({ complete: false });
    const refused = clientOf({ finish_reason: "stop", message: { content: null, refusal: "no" } });
    expect(await openaiChatSummarizer(refused.client)(input, { signal })).toMatchObject({ text: "", refused: true });
  });
});
