/**
 * The least structure that a request to `interactions` must have, with a model (an agent keeps its conversation itself). The SDK's parameters fit it. What goes into a session as
 * `R extends InteractionsRequest` comes out as `R`, its input as a list of steps.
 */
export interface InteractionsRequest {
  readonly model: string;
  /** A list of steps; a text, a content or a list of contents for one step of the user. */
  readonly input?: string | object | undefined;
}
