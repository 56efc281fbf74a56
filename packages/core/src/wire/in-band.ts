import type { ObjectValue } from "../json/value.ts";
import type { Profile } from "./profile.ts";

/** What a wire can say in band that others can only say in words, or change in the head (rules 24 and 25). Absent members: it has no such form. */
export interface InBand {
  /** System messages that hold until the next user message. */
  readonly turnScoped?: {
    readonly betas: readonly string[];
    on(profile: Profile): boolean;
    say(text: string): ObjectValue;
  };
  /** Writes betas into a request, as {@link Wire.control} does for its own: where the request itself names betas they are added there and no header is needed. */
  announce<R extends object>(request: R, betas: readonly string[]): Announced<R>;
}

export type Announced<R> = { readonly request: R; readonly headers: Readonly<Record<string, string>> };
