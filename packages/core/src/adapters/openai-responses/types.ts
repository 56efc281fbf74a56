/**
 * The least structure that a Responses request must have. The official SDK's `ResponseCreateParams` with a model fits it, a plain literal does
 * too; what goes into a session as `R extends ResponsesRequest` comes out as `R`.
 */
export interface ResponsesRequest {
  readonly model?: string;
  readonly input?: string | readonly object[];
}
