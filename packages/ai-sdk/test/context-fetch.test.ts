import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { contextFetch } from "@tidemark/core/fetch";
import { gemini } from "@tidemark/core/gemini";
import { geminiSimulator } from "@tidemark/testing";
import type { ModelMessage } from "ai";
import { expect, it } from "vitest";
import { breaks, refused, thinkingCount, turnOf, working } from "./hosts.ts";

it.each(["generate", "stream"] as const)(
  "contextFetch works below a provider of the AI SDK, where the model stands in the path (%s)",
  async (way) => {
    const sim = geminiSimulator({ script: working(3) });
    const sizes: (number | undefined)[] = [];
    const fetch = contextFetch({
      wires: [gemini()],
      fetch: sim.fetch,
      onSettled: ({ settled }) => sizes.push(settled.usage.prompt),
    });
    const model = createGoogleGenerativeAI({ apiKey: "x", fetch })("gemini-3.8-flash");
    const history: ModelMessage[] = [];
    await turnOf(model, history, "Read a.ts.", { way });
    await turnOf(model, history, "Read b.ts.", { way });
    expect(sim.requests).toHaveLength(6);
    expect(refused(sim)).toEqual([]);
    expect(breaks(sim, gemini())).toEqual([]);
    expect(sim.requests.filter(({ text }) => text.includes('"model":"gemini'))).toEqual([]);
    expect(thinkingCount(sim)).toBeGreaterThan(4);
    expect(sizes).toHaveLength(6);
    expect(sizes.every((size) => size !== undefined && size > 0)).toBe(true);
  },
);
