import Anthropic from "@anthropic-ai/sdk";
import { anthropicSimulator } from "@tidemark/testing";
import { expect, expectTypeOf, test } from "vitest";

// #region readme
import "@tidemark/testing/vitest"; // Jest: expect.extend(matchers) of "@tidemark/testing"

const { fetch, requests } = anthropicSimulator({ script: [{ thinking: "Hm.", text: "Yes." }, { text: "No." }] });
await runYourAgent(new Anthropic({ apiKey: "none", fetch }));
expect(requests.map(({ body }) => body)).toKeepPrefix();
expect(requests.at(-1)?.cache?.read).toBeGreaterThan(0);
// #endregion readme

declare function runYourAgent(client: Anthropic): Promise<void>;

test("the requests of an agent are looked at as the page says", () => {
  expectTypeOf(requests).not.toBeAny();
});
