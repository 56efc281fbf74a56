/**
 * The least structure that a generateContent request must have: the REST body with the model's id beside it, or what `@google/genai` takes
 * (`GenerateContentParameters`, which holds everything else in `config`). What goes into a session as `R extends GeminiRequest` comes out as `R`, its
 * contents as a list.
 */
export interface GeminiRequest {
  readonly model: string;
  /** A list of contents; the SDK takes a text, a part or a list of parts for one user content, too. */
  readonly contents: string | object;
}
