import type { ProviderName } from "./providers.ts";

/** What a provider answered. Of a body only figures, names and error texts are ever shown. */
export type Answer = { readonly status: number; readonly body: unknown };

type Step = {
  readonly title: string;
  /** The request in the wire's own form. Later ones may go on from earlier answers. */
  readonly request: (before: readonly Answer[]) => object;
  /** What a dry run takes for the answer, so that the requests behind it can be shown. */
  readonly standIn?: object;
};

/** One small experiment: it asks one question, and says which rule or table row the answer decides. */
export type Experiment = {
  readonly id: string;
  readonly provider: ProviderName;
  readonly asks: string;
  readonly decides: string;
  readonly steps: readonly Step[];
  /** The answer in words, without a word of what was generated. */
  readonly judge: (answers: readonly Answer[]) => string;
};

export function succeeded(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}

/** Longest piece of an error text that is shown. */
const errorCharactersMax = 300;

/** A provider's own words for a refusal: they speak of the request, which is one of this folder's. */
export function errorText({ body }: Answer): string {
  const error = memberOf(body, "error") ?? memberOf(Array.isArray(body) ? body[0] : undefined, "error") ?? body;
  const message = typeof error === "string" ? error : memberOf(error, "message");
  return typeof message === "string" ? message.slice(0, errorCharactersMax) : "no text";
}

export function memberOf(holder: unknown, ...path: readonly (string | number)[]): unknown {
  let at = holder;
  for (const step of path)
    at = typeof at === "object" && at !== null ? (at as Readonly<Record<string | number, unknown>>)[step] : undefined;
  return at;
}
