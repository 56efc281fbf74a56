import { callable, objectOf, oneOf } from "../json/check.ts";
import type { Checkpoint } from "../ledger/checkpoint.ts";
import type { Said } from "../ledger/entry.ts";
import type { OverflowError } from "../overflow/errors.ts";
import { checked } from "../wire/checked.ts";
import type { Landing } from "./landing.ts";
import type { Repairs } from "./turn.ts";

/** What a session tells. Listeners see frozen data; one that throws never fails a request. */
export type SessionEvents = {
  /** A window stops repeating the one before. */
  readonly checkpoint: Checkpoint;
  /** Something was repaired, withheld, capped or made up. */
  readonly repair: Repairs;
  /** A source spoke in a request. */
  readonly "source:said": Said;
  /** A tool result went out shortened. */
  readonly "result:capped": Repairs["resultsCapped"][number];
  /** A strategy brought the window down. */
  readonly landing: Landing;
  /** A strategy changed nothing: it failed, waits for a job, found nothing to do, or was held back by breaker, loop guard or minimum gain. */
  readonly overflow: OverflowReport;
  /** Something is wrong with the use of the session, or is not as its host thinks: `message` says what, and what to do. Each once. */
  readonly warning: { readonly code: string; readonly message: string };
  /** With `selfCheck`: a difference that no checkpoint explains. */
  readonly invariant: { readonly path: string };
  /** A listener threw, or rejected. */
  readonly "listener-error": { readonly event: string; readonly error: unknown };
};

export type OverflowReport = {
  readonly status: "failed" | "held" | "pending" | "unchanged";
  readonly strategy: string;
  readonly why: string;
  readonly error?: OverflowError;
};

export type Listener<E extends keyof SessionEvents> = (event: SessionEvents[E]) => void;

const names: Readonly<Record<keyof SessionEvents, true>> = {
  checkpoint: true,
  repair: true,
  "source:said": true,
  "result:capped": true,
  landing: true,
  overflow: true,
  warning: true,
  invariant: true,
  "listener-error": true,
};

const shape = objectOf({ event: (value) => oneOf(...Object.keys(names))(value), listener: callable });

export class Listeners {
  readonly #lists = new Map<keyof SessionEvents, Set<(event: never) => void>>();

  on<E extends keyof SessionEvents>(event: E, listener: Listener<E>): () => void {
    checked({ event, listener }, shape);
    const list = this.#lists.get(event) ?? new Set();
    this.#lists.set(event, list);
    list.add(listener);
    return () => list.delete(listener);
  }

  tell<E extends keyof SessionEvents>(event: E, data: SessionEvents[E]): void {
    for (const listener of this.#lists.get(event) ?? []) {
      const fault = (error: unknown): void => {
        if (event !== "listener-error") this.tell("listener-error", { event, error });
      };
      try {
        // A listener may be an async function: what it fails with later must not end the process.
        const told: unknown = (listener as Listener<E>)(Object.freeze(data) as SessionEvents[E]);
        if (told instanceof Promise) told.catch(fault);
      } catch (error) {
        fault(error);
      }
    }
  }
}
