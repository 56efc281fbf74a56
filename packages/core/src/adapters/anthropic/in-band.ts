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
  announce,
};
