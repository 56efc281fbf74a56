import type { Channel } from "../ledger/entry.ts";
import { plainText } from "./accept.ts";
import { element, escapeText } from "./event-text.ts";
import { revise } from "./revise.ts";
import type { Source } from "./source.ts";

/** Words of the host to the model, said once: a finished job, a rule that holds from now on. Set anew, they are said anew. */
export function announcement(id: string, { channel = "user" }: { readonly channel?: Channel } = {}): Source<string> {
  return Object.freeze({
    id,
    kind: "announcement",
    channel,
    accept: (value: string) => plainText(id, value),
    speak: (asked) =>
      revise(asked, {
        say: (value, _before, rev) => ({ text: element("announcement", { id, rev }, escapeText(String(value))) }),
        withdraw: (_before, rev) => element("announcement", { id, rev, withdrawn: "true" }, asked.wordings.withdrawn),
      }),
  } satisfies Source<string>);
}
