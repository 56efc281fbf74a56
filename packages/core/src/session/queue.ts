/** Runs tasks one at a time, in order (rule 45). A waiting task that is aborted rejects at once with the signal's own reason. */
export class Queue {
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Whether a task that is added now has to wait. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  run<T>(task: () => Promise<T> | T, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const turn = this.#tail.then(async () => {
        // From here on the task looks at the signal itself: once it has published, an abort must not reject it any more.
        signal?.removeEventListener("abort", abort);
        try {
          signal?.throwIfAborted();
          return await task();
        } finally {
          // Here and not behind `turn`: who awaits this task and adds the next one must find the queue idle.
          this.#waiting -= 1;
        }
      });
      this.#tail = turn.then(noop, noop);
      turn.then(resolve, reject);
    });
  }
}

function noop(): void {}
