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
    const turn = this.#tail.then(async () => {
      try {
        signal?.throwIfAborted();
        return await task();
      } finally {
        // Here and not behind `turn`: who awaits this task and adds the next one must find the queue idle.
        this.#waiting -= 1;
      }
    });
    this.#tail = turn.then(noop, noop);
    return signal === undefined ? turn : Promise.race([turn, abortion(signal)]);
  }
}

function noop(): void {}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
