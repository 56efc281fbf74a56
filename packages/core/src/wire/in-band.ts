import type { ObjectValue } from "../json/value.ts";
import type { Profile } from "./profile.ts";

/** What a wire can say in band that others can only say in words, or change in the head (rules 24 and 25). Absent members: it has no such form. */
export interface InBand {
  /** System messages that hold until the next user message. */
  readonly turnScoped?: InBandForm & { say(text: string): ObjectValue };
  /** Tools that come and go behind the head. */
  readonly toolChanges?: ToolChanges;
  /** Settings whose change is said in the conversation, so that the request keeps those that it was sent with. */
  readonly settings?: InBandForm & {
    /** A head's parameters apart: the settings by a name of their own, with the model's defaults where they are known, and all else. */
    split(params: ObjectValue, profile: Profile): { readonly settings: ObjectValue; readonly others: ObjectValue };
    /** The message that says changed settings. */
    say(changed: ObjectValue): ObjectValue;
  };
  /** Writes betas into a request, as {@link Wire.control} does for its own: where the request itself names betas they are added there and no header is needed. */
  announce<R extends object>(request: R, betas: readonly string[]): Announced<R>;
}

/** When a form may be used: on models that have it, where the request bears its betas (rule 58). */
interface InBandForm {
  readonly betas: readonly string[];
  on(profile: Profile): boolean;
}

/** Changes that are said in no words: a model that lacks the form is sent nothing for them. */
export type WordlessForm = "toolChanges" | "settings";

export interface ToolChanges extends InBandForm {
  /** Whether a definition can be given in band. */
  takes(tool: ObjectValue): boolean;
  /** Whether a tool can be taken back in band; where not, its calls are refused at dispatch. */
  readonly withdraws: boolean;
  /** One message that defines tools, offers known ones again by name, and withdraws others. */
  say(change: ToolChange): ObjectValue;
}

/** What is said of tools: definitions of those that the head does not declare, names of known ones that are offered again or withdrawn. */
export type ToolChange = {
  readonly define: readonly ObjectValue[];
  readonly offer: readonly string[];
  readonly withdraw: readonly string[];
};

export type Announced<R> = { readonly request: R; readonly headers: Readonly<Record<string, string>> };
