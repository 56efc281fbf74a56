/**
 * Where the bytes of pictures, sounds and files are kept that snapshots hold by digest (rule 14). Needed where the session owns the history; elsewhere the host's history brings them.
 *  1. `put` is idempotent. What it rejects with fails the request that needs it.
 *  2. `get` answers undefined for a digest that is not known. What it answers is checked against the digest.
 */
export interface MediaStore {
  /** `medium`: base64 or a data URL as the message has it, or bytes. */
  put(digest: string, medium: string | Uint8Array): void | Promise<void>;
  get(digest: string): string | Uint8Array | undefined | Promise<string | Uint8Array | undefined>;
}

/** A store that lives and dies with the process. */
export function inMemoryMedia(): MediaStore {
  const kept = new Map<string, string | Uint8Array>();
  return {
    put: (digest, medium) => {
      kept.set(digest, medium);
    },
    get: (digest) => kept.get(digest),
  };
}
