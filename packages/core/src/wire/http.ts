/** What an HTTP request of a wire is known by. */
export type WireHttp = {
  /** The path of the URL that takes requests, without host and query. A group `model` is the model's id, where the body has none. */
  readonly path: RegExp;
  /** Members of the body by which the server holds the conversation: such a request hands over a part of it, and is left alone. */
  readonly heldBy: readonly string[];
  /** The data of a stream's last event: some SDKs stop reading there, without waiting for the end. */
  readonly lastEvent?: RegExp;
};
