import type { Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { anthropicSimulator } from "../../src/simulator/anthropic/server.ts";
import { type Block, clone, type Message } from "../history.ts";
import type { SoakRequest } from "../request.ts";
import { storeFormNames } from "../store-forms.ts";
import type { Side } from "./side.ts";

/** The soak's own form is this wire's. */
export const anthropicSide: Side = {
  name: "anthropic",
  // Models that bind thinking to its prefix, and one that does not and takes no system messages either.
  models: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-sonnet-4-6"],
  wire: anthropic() as unknown as Wire,
  has: new Set([
    "host-marks",
    "notes",
    "effort",
    "mismatch-header",
    "own-objects",
    "errors",
    "pictures",
    "hidden-thinking",
    "repeated-ids",
  ]),
  storeForms: storeFormNames,
  refusal: "refusal",
  list: "messages",
  simulator: (options) => anthropicSimulator(options),
  request: (asking) => asking,
  read: (request) => {
    const { model, system, tools, messages, thinking, output_config } = request as SoakRequest;
    const params = `thinking ${thinking?.type}, effort ${output_config?.effort}`;
    // The list is the host's to write to.
    return { model, system, tools, params, lead: 0, native: [...messages], messages: [...messages] as Message[] };
  },
  content: ({ content }) => clone(content) as Block[],
  cut: (reply) => ({ ...reply, stop_reason: null }),
  callId: (count) => `call_${count}`,
};
