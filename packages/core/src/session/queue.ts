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
    const turn = this.#tail.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    this.#tail = turn.then(noop, noop).then(() => {
      this.#waiting -= 1;
    });
    return signal === undefined ? turn : Promise.race([turn, abortion(signal)]);
  }
}

function noop(): void {}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
