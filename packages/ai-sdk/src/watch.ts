/** The same stream, each part seen before it is handed on, when it is asked for; none is read ahead. Errors and the reader's leaving pass through. */
export function watched<T>(stream: ReadableStream<T>, see: (part: T) => T): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(see(value));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
