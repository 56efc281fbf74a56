/**
 * The least structure that a Chat Completions request must have. The official SDK's `ChatCompletionCreateParams` fits it, a plain literal
 * does too; what goes into a session as `R extends ChatRequest` comes out as `R`.
 */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly object[];
}
