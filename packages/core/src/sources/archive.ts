import { digestText } from "../json/canonical.ts";
import { TidemarkError } from "../json/error.ts";
import type { ObjectValue } from "../json/value.ts";
import type { OwnTool } from "./own-tool.ts";

/** A text that the window shows only in part, or no longer. */
export type ArchiveRecord = {
  /** What markers call it: made by {@link archiveReference}, so that the same text has the same reference everywhere. */
  readonly reference: string;
  /** `result`: a tool result above its cap. `landing`: what a recap or a notice replaced. */
  readonly kind: "result" | "landing";
  /** The whole text, well-formed and redacted as it was admitted. */
  readonly text: string;
  /** What whoever kept it says of it: the tool and call of a result; range and source digest of a landing. Plain JSON. */
  readonly about: ObjectValue;
};

/**
 * Where full texts are kept (rules 13 and 43).
 *  1. `put` is idempotent: a record comes back under its reference as it was last put. It may reject; the request that needs it then fails and nothing is sent that names it.
 *  2. `get` answers undefined for a reference that is not known.
 *  3. What is kept may be read by whoever knows a reference: give each tenant an archive of its own.
 */
export interface ArchiveStore {
  put(record: ArchiveRecord): void | Promise<void>;
  get(reference: string): ArchiveRecord | undefined | Promise<ArchiveRecord | undefined>;
}

/** A store of full texts with the tool by which the model reads them: {@link recallable} makes one of a store. */
export interface Archive extends ArchiveStore {
  readonly recall: OwnTool;
}

/** Hexadecimal digits of a reference: 48 bits, of which a conversation holds a few hundred. */
const referenceDigits = 12;

/** The reference of a text: follows from the text alone, so that markers hold no path, clock or random text. */
export function archiveReference(text: string): string {
  return digestText(text).slice(0, referenceDigits);
}

/** What one request names and an archive must have before it is sent. */
export class ArchiveDraft {
  #records: Map<string, ArchiveRecord> | undefined;

  keep(kind: ArchiveRecord["kind"], text: string, about: ObjectValue): string {
    const reference = archiveReference(text);
    this.#records ??= new Map();
    if (!this.#records.has(reference)) this.#records.set(reference, { reference, kind, text, about });
    return reference;
  }

  /** What was tried and is not sent needs no record. */
  forget(kind: ArchiveRecord["kind"]): void {
    for (const [reference, record] of this.#records ?? []) if (record.kind === kind) this.#records?.delete(reference);
  }

  /** @throws {ArchiveError} when the archive does not take a record. */
  async put(archive: ArchiveStore): Promise<void> {
    for (const record of this.#records?.values() ?? []) {
      try {
        await archive.put(record);
      } catch (error) {
        throw new ArchiveError(record.reference, error);
      }
    }
  }
}

/** The archive does not take what the request says that it has. Nothing was sent or changed: prepare the request again. Code: `archive`. */
export class ArchiveError extends TidemarkError {
  constructor(reference: string, cause: unknown) {
    super(
      "archive",
      `The archive did not keep ${reference}. Prepare the request again once it works, or make the session without \`archive\`.`,
      {
        cause,
      },
    );
  }
}
