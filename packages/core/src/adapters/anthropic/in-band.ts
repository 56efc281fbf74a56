import { freezeValue } from "../../json/value.ts";
import type { InBand } from "../../wire/in-band.ts";
import { announce } from "./control.ts";

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
  announce,
};
