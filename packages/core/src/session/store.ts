import { TidemarkError } from "../json/error.ts";
import type { Snapshot } from "./snapshot.ts";

/** Whose session, and which. Two tenants never meet, whatever their sessions are called. */
export type SessionKey = {
  /** The tenant: a user, an account, a workspace. */
  readonly namespace: string;
  readonly session: string;
};

/** A snapshot as a store holds it. `version` is the store's own word for this state of it; it changes with every save. */
export type StoredSession = { readonly snapshot: Snapshot; readonly version: string };

/**
 * Where snapshots outlive their process (rule 49). A store is a map with compare-and-swap: any database row with a version column will do. Its contract suite is
 * `sessionStoreContract` of `@tidemark/testing/contract`.
 */
export interface SessionStore {
  /** What was saved last under a key; undefined: nothing. */
  load(key: SessionKey): Promise<StoredSession | undefined>;
  /**
   * Saves, if what is stored still has this version (undefined: if nothing is stored), and gives the new version. Otherwise it changes nothing and gives undefined: another
   * process was faster. Compares and writes in one step. Rejects when it could not write at all.
   */
  save(key: SessionKey, snapshot: Snapshot, expected: string | undefined): Promise<string | undefined>;
  /** Forgets a session. One that does not exist is none to forget. */
  delete(key: SessionKey): Promise<void>;
}

/**
 * Another process prepared or settled this session after it was opened here. Nothing was sent and nothing is lost: open the session again and prepare the request again.
 * Code: `session-conflict`.
 */
export class SessionConflictError extends TidemarkError {
  constructor({ session }: SessionKey) {
    super(
      "session-conflict",
      `Session ${JSON.stringify(session)} was changed by another process since it was opened here. Open it again with openSession, and prepare the request again.`,
    );
  }
}

/** A store in this process's memory: for tests, and for one process that makes its sessions anew for each request. */
export function inMemorySessionStore(): SessionStore {
  const rows = new Map<string, { readonly text: string; readonly version: string }>();
  let saves = 0;
  return {
    async load(key) {
      const row = rows.get(rowName(key));
      return row === undefined ? undefined : { snapshot: JSON.parse(row.text) as Snapshot, version: row.version };
    },
    async save(key, snapshot, expected) {
      const name = rowName(key);
      if (rows.get(name)?.version !== expected) return undefined;
      saves += 1;
      const version = String(saves);
      rows.set(name, { text: JSON.stringify(snapshot), version });
      return version;
    },
    async delete(key) {
      rows.delete(rowName(key));
    },
  };
}

/** One name for both parts of a key. As JSON, so that no separator inside a part can make two keys alike. */
function rowName({ namespace, session }: SessionKey): string {
  return JSON.stringify([namespace, session]);
}
