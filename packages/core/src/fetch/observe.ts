/** Sees the bytes of a body pass. Neither may throw. */
export type Observer = {
  chunk(bytes: Uint8Array): void;
  /** Once: the body is through (`ended`), or its reader has left. Not called when the connection broke. */
  end(ended: boolean): void;
};

/**
 * The same response, watched: every chunk is seen, and handed on as it is, when it is asked for, and none is read ahead. An error and a reader's leaving pass through both ways.
 */
export function observed(response: Response, observer: Observer): Response {
  if (response.body === null) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          observer.end(true);
          controller.close();
        } else {
          observer.chunk(value);
          controller.enqueue(value);
        }
      },
      cancel(reason) {
        observer.end(false);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url } = response;
  // A made response has no address, but SDKs log it.
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", { value: url });
}
