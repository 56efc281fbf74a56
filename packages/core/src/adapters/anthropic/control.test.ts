import { describe, expect, it } from "vitest";
import { bindingBeta, control } from "./control.ts";
import { profiles } from "./models.ts";
import type { AnthropicRequest } from "./request.ts";

const profileOf = profiles();
const controlled = (request: object, mismatch: "drop" | "error" = "drop"): ReturnType<typeof control> => {
  const whole = { model: "claude-opus-5-5", messages: [], ...request } as AnthropicRequest;
  return control(whole, mismatch, profileOf(whole.model));
};
const dropBlock = { prefix_mismatch_behavior: "drop_block" };

describe("binding controls (rule 58)", () => {
  it("are written beside the host's own thinking settings, with the header", () => {
    expect(controlled({ thinking: { type: "adaptive", display: "omitted" } })).toEqual({
      request: { model: "claude-opus-5-5", messages: [], thinking: { type: "adaptive", display: "omitted", block_binding: dropBlock } },
      headers: { "anthropic-beta": bindingBeta },
    });
    expect(controlled({ thinking: { type: "adaptive" } }, "error").request.thinking).toMatchObject({
      block_binding: { prefix_mismatch_behavior: "error" },
    });
  });

  it("write adaptive thinking out on a model that thinks anyway", () => {
    expect(controlled({}).request.thinking).toEqual({ type: "adaptive", block_binding: dropBlock });
    expect(controlled({ model: "claude-someday" }).request).not.toHaveProperty("thinking");
  });

  it("join the betas of a request that has some, once", () => {
    const thinking = { type: "adaptive" };
    expect(controlled({ thinking, betas: ["a"] })).toMatchObject({ request: { betas: ["a", bindingBeta] }, headers: {} });
    expect(controlled({ thinking, betas: [] })).toMatchObject({ request: { betas: [bindingBeta] }, headers: {} });
    expect(controlled({ thinking, betas: [bindingBeta] })).toMatchObject({ request: { betas: [bindingBeta] }, headers: {} });
  });

  it("leave alone what the host set itself, other forms of thinking, and models that bind nothing", () => {
    const untouched: readonly object[] = [
      { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } } },
      { thinking: { type: "adaptive", block_binding: {} } },
      { model: "claude-haiku-5-5", thinking: { type: "disabled" } },
      { model: "claude-sonnet-5-5", thinking: { type: "between_tools" } },
      { model: "claude-opus-4-6", thinking: { type: "adaptive" } },
    ];
    for (const request of untouched)
      expect(controlled(request)).toEqual({ request: { model: "claude-opus-5-5", messages: [], ...request }, headers: {} });
  });

  it("count a model that may bind as one that does", () => {
    expect(controlled({ model: "claude-someday", thinking: { type: "adaptive" } }).headers).toEqual({ "anthropic-beta": bindingBeta });
  });
});
