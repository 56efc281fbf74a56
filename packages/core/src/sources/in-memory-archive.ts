import type { Archive, ArchiveRecord } from "./archive.ts";
import { recallable } from "./recall.ts";

/** An archive that lives and dies with the process. */
export function inMemoryArchive(): Archive {
  const records = new Map<string, ArchiveRecord>();
  return recallable({
    put: (record) => {
      records.set(record.reference, record);
    },
    get: (reference) => records.get(reference),
  });
}
