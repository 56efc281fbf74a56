import { digestText } from "../json/canonical.ts";
import { sameValue } from "../json/compare.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../json/value.ts";
import type { Channel, Said } from "../ledger/entry.ts";
import { plainValue } from "./accept.ts";
import { element, escapeText } from "./event-text.ts";
import { revise } from "./revise.ts";
import { type Source, SourceValueError } from "./source.ts";

/** A search result or other context. Of the same id and text it is said once in a window. */
export type RetrievedDocument = { readonly id: string; readonly text: string; readonly title?: string | undefined };

/** Digits by which a document's words are told from others of its id. */
const digestDigits = 16;

/** What the host found for the turn at hand. Each set of documents is a revision; a document whose words still stand in the window is only named again. */
export function retrieval(id: string, { channel = "user" }: { readonly channel?: Channel } = {}): Source<readonly RetrievedDocument[]> {
  return Object.freeze({
    id,
    kind: "retrieval",
    channel,
    accept: (value: readonly RetrievedDocument[]) => documentsOf(id, value),
    speak: (asked) => {
      const texts = textsIn(asked.heard.said);
      return revise(asked, {
        known: (documents) => knownOf(documents, texts),
        same: (before, known) => sameValue(namesOf(before), namesOf(known)),
        say: (documents, _before, rev) => ({ text: element("retrieval", { id, rev }, bodyOf(documents, texts)) }),
        withdraw: (_before, rev) => element("retrieval", { id, rev, withdrawn: "true" }, asked.wordings.withdrawn),
      });
    },
  } satisfies Source<readonly RetrievedDocument[]>);
}

function documentsOf(id: string, given: unknown): Value {
  const documents = plainValue(id, given);
  if (!isArray(documents)) throw new SourceValueError(id, "$", "a list of documents is expected");
  for (const [index, document] of documents.entries()) {
    const fits = isObject(document) && typeof document["id"] === "string" && typeof document["text"] === "string";
    if (!fits) throw new SourceValueError(id, `$[${index}]`, "a document has an id and a text");
  }
  return documents;
}

type Document = { readonly id: string; readonly text: string; readonly title: string | undefined };

function read(documents: Value): readonly Document[] {
  return (documents as readonly ObjectValue[]).map(({ id, text, title }) => ({
    id: String(id),
    text: String(text),
    title: typeof title === "string" ? title : undefined,
  }));
}

function digestOf({ text, title }: Document): string {
  return digestText(JSON.stringify([title ?? null, text])).slice(0, digestDigits);
}

/** Digests of the documents, by id, whose words stand in the window last. */
function textsIn(said: readonly Said[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { value } of said) {
    if (!isArray(value)) continue;
    for (const item of value) if (isObject(item) && item["whole"] === true) texts.set(String(item["id"]), String(item["digest"]));
  }
  return texts;
}

/** What the window will know: which documents are at hand, and which of them it was told in full here. */
function knownOf(documents: Value, texts: ReadonlyMap<string, string>): Value {
  return Object.freeze(
    read(documents).map((document) => {
      const digest = digestOf(document);
      return Object.freeze({ id: document.id, digest, ...(texts.get(document.id) === digest ? {} : { whole: true }) });
    }),
  );
}

/** The documents at hand, whatever was told of them where. */
function namesOf(known: Value): Value {
  return isArray(known) ? known.map((item) => (isObject(item) ? [item["id"] ?? null, item["digest"] ?? null] : item)) : known;
}

function bodyOf(documents: Value, texts: ReadonlyMap<string, string>): string {
  return read(documents)
    .map((document) => {
      const { id, title, text } = document;
      const stands = texts.get(id) === digestOf(document);
      return stands ? element("document", { id, unchanged: "true" }) : element("document", { id, title }, escapeText(text));
    })
    .join("\n");
}
