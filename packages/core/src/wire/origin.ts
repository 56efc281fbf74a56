/** Where reasoning comes from and where alone it may go back to (rule 15). */
export type Origin = {
  readonly wire: string;
  readonly model: string;
  /** Address and account scope as the host names them; undefined: the session's only one. */
  readonly endpoint: string | undefined;
};

export function sameOrigin(a: Origin, b: Origin): boolean {
  return a.wire === b.wire && a.model === b.model && a.endpoint === b.endpoint;
}
