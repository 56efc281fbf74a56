import { freezeValue, isObject, type ObjectValue } from "../../json/value.ts";
import type { InBand } from "../../wire/in-band.ts";
import { announce } from "./control.ts";
import { effortByDefault } from "./models.ts";

/** Source: the page on mid-conversation system messages, September and November 2026; the models that take positional system messages take these. */
export const inBand: InBand = {
  turnScoped: {
    betas: ["mid-conversation-system-clear-at-2026-08-21"],
    on: ({ inBand: changes = [] }) => changes.includes("turn-system"),
    say: (text) => freezeValue({ role: "system", content: [{ type: "text", text }], clear_at: "next_user_message" }),
  },
  // Shapes: `BetaRequestToolAdditionBlock` and `BetaRequestToolRemovalBlock` of @anthropic-ai/sdk 1.14.0; facts 1.6.
  toolChanges: {
    betas: ["mid-conversation-tool-changes-2026-07-01", "inline-tools-2026-09-15"],
    on: ({ positionalSystem }) => positionalSystem,
    takes: ({ name, input_schema }) => typeof name === "string" && input_schema !== undefined,
    withdraws: true,
    say: ({ define, offer, withdraw }) =>
      freezeValue({
        role: "system",
        content: [
          ...define.map((definition) => ({ type: "tool_addition", tool: { type: "tool_definition", definition } })),
          ...offer.map((name) => ({ type: "tool_addition", tool: { type: "tool_reference", name } })),
          ...withdraw.map((name) => ({ type: "tool_removal", tool: { type: "tool_reference", name } })),
        ],
      }),
  },
  // An effort-only message may stand anywhere, with this beta: the same page, July 2026 (facts 1.6). Effort is the model's default where a request names none.
  settings: {
    betas: ["mid-conversation-output-config-2026-07-01"],
    on: ({ inBand: changes = [] }) => changes.includes("effort"),
    split: ({ output_config, ...others }, profile) => {
      const { effort = null, ...rest } = isObject(output_config) ? output_config : {};
      const settings: ObjectValue = { effort: effort ?? effortByDefault(profile) };
      return { settings, others: freezeValue(Object.keys(rest).length === 0 ? others : { ...others, output_config: rest }) };
    },
    say: ({ effort = null }) => freezeValue({ role: "system", content: [], output_config: { effort } }),
  },
  announce,
};
