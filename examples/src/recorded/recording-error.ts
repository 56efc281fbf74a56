import { TidemarkError } from "@tidemark/core";

/** A file is no recording that the demo can play. Names the file, the line where that can be told, what stands there and what was expected. Code: `unreadable-recording`. */
export class RecordingError extends TidemarkError {
  readonly file: string;
  /** Counted from 1. Undefined: the whole file. */
  readonly line: number | undefined;

  constructor(place: { readonly file: string; readonly line?: number | undefined }, found: string, expected: string) {
    super(
      "unreadable-recording",
      `${place.file}${place.line === undefined ? "" : `, line ${place.line}`}: ${found}. Expected ${expected}.`,
    );
    this.file = place.file;
    this.line = place.line;
  }
}
