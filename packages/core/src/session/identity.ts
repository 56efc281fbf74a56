import { digestValue } from "../json/canonical.ts";
import { expecting, listOf, objectOf, oneOf, optional, type Shape, text } from "../json/check.ts";
import type { Wire } from "../wire/wire.ts";

/**
 * Who a session is to the provider's cache and router (rule 50). What enters is digested and cannot be read back, and still no token, address or name of a person belongs into it.
 */
export type SessionIdentity = {
  /**
   * Random, at least 16 characters: made when a credential is first adopted, kept over refresh and restart, replaced on reauthorisation. Undefined: there is no credential now, and
   * neither identifiers nor reasoning that is bound to an account go out.
   */
  readonly namespace: string | undefined;
  /** The conversation. A fork has its parent's, since another key reads another cache. */
  readonly session: string;
  /** The program that asks, where several share a credential. */
  readonly client?: string | undefined;
  /** What a call with a prefix of its own is for, such as `title`. Default `conversation`. */
  readonly purpose?: string | undefined;
  /** `field` (default): under the wire's own names, in the body and in headers. `header`: in headers only, for servers that refuse unknown fields. `off`: not at all. */
  readonly send?: "field" | "header" | "off" | undefined;
  /** Other names than the wire's own, for the gateway in between: `{ headers: ["x-session-affinity"] }`. */
  readonly names?: { readonly field?: string | undefined; readonly headers?: readonly string[] | undefined } | undefined;
};

const stray = "there is no such member";
const members = {
  namespace: optional(expecting("a random text of at least 16 characters", (value) => typeof value === "string" && value.length >= 16)),
  client: optional(text),
  purpose: optional(text),
  send: optional(oneOf("field", "header", "off")),
  names: optional(objectOf({ field: optional(text), headers: optional(listOf(text)) }, stray)),
};

export const identityShape: Shape = objectOf({ ...members, session: text }, stray);

/** The same where each session has a name of its own. */
export const identityDefaultsShape: Shape = objectOf(members, stray);

/** The 64 characters under which a session is known: stable over restarts, another one for each wire, endpoint, client, session and purpose. */
export function identityKey(
  { namespace = "", client = "", session, purpose = "conversation" }: SessionIdentity,
  wire: string,
  endpoint = "",
): string {
  return digestValue([namespace, client, endpoint, wire, session, purpose]);
}

/** What reasoning is bound to beside wire and model: the address, and whose credential it was (rules 15 and 50). Without an identity the host names an account in its `endpoint`. */
export function accountScope({
  endpoint,
  identity,
}: {
  readonly endpoint?: string | undefined;
  readonly identity?: SessionIdentity | undefined;
}): string | undefined {
  if (identity === undefined) return endpoint;
  return `${endpoint ?? ""} ${identity.namespace === undefined ? "" : digestValue([identity.namespace])}`;
}

/** Without a credential there is no origin to which bound reasoning could go back (rule 50). */
export function lacksAccount({ identity }: { readonly identity?: SessionIdentity | undefined }): boolean {
  return identity !== undefined && identity.namespace === undefined;
}

type Identified<R> = { readonly request: R; readonly headers: Readonly<Record<string, string>> };

/** Writes a session's identity into an outgoing request and its headers. What the host set stands. */
export function identified<W extends object, R extends W>(
  wire: Wire<W>,
  request: R,
  { identity, endpoint }: { readonly identity: SessionIdentity | undefined; readonly endpoint: string | undefined },
): Identified<R> {
  if (identity?.namespace === undefined || identity.send === "off") return { request, headers: {} };
  const { field, headers = [] } = identity.names ?? wire.identity ?? {};
  const key = identityKey(identity, wire.name, endpoint);
  const named = Object.fromEntries(headers.map((name) => [name, key]));
  const own = field === undefined ? undefined : (request as Readonly<Record<string, unknown>>)[field];
  if (field === undefined || identity.send === "header" || (own !== undefined && own !== null)) return { request, headers: named };
  return { request: { ...request, [field]: key }, headers: named };
}
