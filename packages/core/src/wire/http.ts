/** What an HTTP request of a wire is known by. */
export type WireHttp = {
  /** The path of the URL that takes requests, without host and query. A group `model` is the model's id, where the body has none. */
  readonly path: RegExp;
  /** Members of the body by which the server holds the conversation: such a request hands over a part of it, and is left alone. */
  readonly heldBy: readonly string[];
  /** The data of a stream's last event: some SDKs stop reading there, without waiting for the end. */
  readonly lastEvent?: RegExp;
  /** How its streams are framed, where it is neither server-sent events nor lines of JSON. */
  readonly framing?: { readonly contentType: string; readonly reader: () => EventReader };
};

/** Takes a stream's events out of its bytes. */
export interface EventReader {
  /** The events that are whole with these bytes. */
  add(bytes: Uint8Array): readonly object[];
}
