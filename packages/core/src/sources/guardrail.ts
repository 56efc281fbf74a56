import { isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Channel } from "../ledger/entry.ts";
import { fill } from "../ledger/wordings.ts";
import { plainValue } from "./accept.ts";
import { element, escapeText } from "./event-text.ts";
import { revise } from "./revise.ts";
import { type Asked, type Setting, type Source, SourceValueError, type Utterance } from "./source.ts";

/** How replies shall look: an output format, a language, what is never said. */
export type Guardrail = {
  /** May be empty where there is a prefill. */
  readonly text: string;
  /** `event` (default): said at the end of the window. `system`: behind the system text; changing that is a `system` checkpoint. */
  readonly place?: "event" | "system" | undefined;
  /** How each reply shall begin. */
  readonly prefill?: string | undefined;
  /** `auto` (default): as a prefilled reply where the model takes one, as an instruction elsewhere. `native`: as a prefilled reply whatever the model. */
  readonly prefillAs?: "auto" | "native" | undefined;
};

/** Instructions on the form of replies (rule 23). Said again they say that they replace the earlier ones; cleared or moved they leave a tombstone. */
export function guardrail(id: string, { channel = "user" }: { readonly channel?: Channel } = {}): Source<Guardrail> {
  return Object.freeze({
    id,
    kind: "guardrail",
    channel,
    accept: (value: Guardrail) => guardrailOf(id, value),
    systemText: (setting) => {
      const { text, place } = settingOf(setting);
      return place === "system" && text !== "" ? text : undefined;
    },
    prefill: (setting) => {
      const { prefill, prefillAs } = settingOf(setting);
      return prefill === undefined ? undefined : { text: prefill, native: prefillAs === "native" };
    },
    speak: (asked) => speak(id, asked),
  } satisfies Source<Guardrail>);
}

type Set = { readonly text: string; readonly place: string; readonly prefill: string | undefined; readonly prefillAs: string };

function settingOf(setting: Setting | undefined): Set {
  const value: ObjectValue = setting !== undefined && "value" in setting && isObject(setting.value) ? setting.value : {};
  const { text, place, prefill, prefillAs } = value;
  return {
    text: typeof text === "string" ? text : "",
    place: place === "system" ? "system" : "event",
    prefill: typeof prefill === "string" && prefill !== "" ? prefill : undefined,
    prefillAs: prefillAs === "native" ? "native" : "auto",
  };
}

function speak(id: string, asked: Asked): Utterance | undefined {
  const { wordings, setting, prefills, inSystem } = asked;
  const { text, prefill, prefillAs, ...wanted } = settingOf(setting);
  const place = inSystem ? wanted.place : "event";
  const asks = prefill !== undefined && prefillAs === "auto" && !prefills ? fill(wordings.prefillAsked, { text: prefill }) : undefined;
  const words = [...(place === "event" && text !== "" ? [text] : []), ...(asks === undefined ? [] : [asks])].join("\n");
  const moved = place === "system" && text !== "";
  // What is said as an event is all that the window knows; a guardrail that says nothing there is cleared there.
  const said: Setting | undefined = setting === undefined || words !== "" ? setting && { value: words } : { cleared: true };
  return revise(
    { ...asked, setting: said },
    {
      say: (value, before, rev) => {
        const replaces = before === undefined ? "" : `${wordings.guardrailReplaces}\n`;
        return { text: element("guardrail", { id, rev }, `${replaces}${escapeText(String(value))}`) };
      },
      withdraw: (_before, rev) =>
        element("guardrail", { id, rev, withdrawn: "true" }, moved ? wordings.guardrailInSystem : wordings.guardrailCleared),
    },
  );
}

function guardrailOf(id: string, given: unknown): Value {
  const value = plainValue(id, given);
  if (!isObject(value) || typeof value["text"] !== "string") throw new SourceValueError(id, "$", "a guardrail has a text");
  return value;
}
