import { callable, expecting, objectOf } from "../json/check.ts";
import { isObject } from "../json/value.ts";
import { checked } from "../wire/checked.ts";
import { newSession, type Session } from "./create-session.ts";
import type { SessionOptions } from "./options.ts";
import type { SessionKey, SessionStore } from "./store.ts";
import { StorePlace } from "./store-place.ts";

/** How a stored session is opened: {@link SessionOptions}, and where it is kept under which name. */
export type StoredSessionOptions<Request extends object = object> = SessionOptions<Request> & {
  readonly store: SessionStore;
  readonly key: SessionKey;
};

const name = expecting("a text that is not empty", (value) => typeof value === "string" && value !== "");
const keyForm = "a key is { namespace, session }";
const keyMembers = objectOf({ namespace: name, session: name }, keyForm);
const placeShape = objectOf({
  store: objectOf({ load: callable, save: callable }),
  key: (value) => (isObject(value) ? keyMembers(value) : { path: [], problem: keyForm }),
});

/**
 * The session that a store holds under a key, or a new one (rule 49). From then on `prepare` resolves only after its request was saved, and each settlement is saved behind it
 * (`session.saved()` waits for that). Of two processes that prepare the same session one gets a `SessionConflictError` and has sent nothing.
 * @throws {OptionError} for a wrong option; {@link SnapshotError} for a stored snapshot that cannot be read; what the store itself rejects with.
 */
export async function openSession<W extends object>(options: StoredSessionOptions<W>): Promise<Session<W>> {
  const { store, key, ...own } = checked(options, placeShape);
  const stored = await store.load(key);
  return newSession(own as unknown as SessionOptions<W>, stored?.snapshot, new StorePlace(store, key, stored?.version));
}
