import { isArray, isObject, type ObjectValue } from "../json/value.ts";

/** What an error says, however it is wrapped: its texts, and the objects that they stand in. */
export type SaidInError = { readonly texts: readonly string[]; readonly bodies: readonly ObjectValue[] };

/** Figures that a refusal for length names. */
export type OverflowFigures = { readonly tokens?: number; readonly limit?: number };

/** Where errors keep what the server said: SDK error objects, raw bodies with and without a wrapper, a gateway's upstream error as text. */
const holders: readonly string[] = [
  ...["error", "body", "data", "response", "responseBody", "metadata", "raw", "detail", "details", "cause"],
  // The AWS SDK's.
  ...["originalMessage", "Message"],
];
const levelsMax = 10;
/** Longer texts quote the request. */
const charactersMax = 4_000;

export function saidInError(error: unknown): SaidInError {
  const said = { texts: [] as string[], bodies: new Set<ObjectValue>() };
  collect(error, said, levelsMax);
  return { texts: said.texts, bodies: [...said.bodies] };
}

/** The figures of the first signal that fits one of the texts, its groups `tokens` and `limit`; undefined: none fits. */
export function overflowIn(texts: readonly string[], signals: readonly { readonly says: RegExp }[]): OverflowFigures | undefined {
  for (const { says } of signals) {
    for (const text of texts) {
      const match = says.exec(text);
      if (match !== null) return overflowFigures(match.groups?.tokens, match.groups?.limit);
    }
  }
  return undefined;
}

/** Figures as numbers or as text with separators; what is none is left out. */
export function overflowFigures(tokens: unknown, limit: unknown): OverflowFigures {
  const counted = count(tokens);
  const most = count(limit);
  return { ...(counted === undefined ? {} : { tokens: counted }), ...(most === undefined ? {} : { limit: most }) };
}

function collect(value: unknown, said: { readonly texts: string[]; readonly bodies: Set<ObjectValue> }, levels: number): void {
  if (levels === 0) return;
  if (typeof value === "string") {
    const body = parsedBody(value);
    if (body === undefined) said.texts.push(value.slice(0, charactersMax));
    else collect(body, said, levels - 1);
  } else if (isArray(value)) {
    for (const item of value.slice(0, 8)) collect(item, said, levels - 1);
  } else if (isObject(value) && !said.bodies.has(value)) {
    said.bodies.add(value);
    for (const name of ["message", ...holders]) collect(value[name], said, levels - 1);
  }
}

/** An error body that was handed on as text, perhaps behind a status: `400 {"error":…}`. */
function parsedBody(text: string): unknown {
  const start = text.indexOf("{");
  if (start < 0 || start > 64 || text.length > charactersMax * 16) return undefined;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
}

function count(figure: unknown): number | undefined {
  const value = typeof figure === "string" ? Number(figure.replaceAll(",", "")) : figure;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
