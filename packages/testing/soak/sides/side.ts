import type { ObjectValue, Wire } from "@tidemark/core";
import type { Clock } from "../../src/simulator/clock.ts";
import type { Script } from "../../src/simulator/script.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import type { Block } from "../history.ts";
import type { ReadRequest, SoakRequest } from "../request.ts";
import type { StoreForm } from "../store-forms.ts";

/** What only some wires have, and only some hosts do therefore. */
export type Ability =
  /** The host may set cache marks of its own. */
  | "host-marks"
  /** The host may say something in a system message of its own. */
  | "notes"
  /** Effort is a part of what the provider caches. */
  | "effort"
  /** The provider says by a header what becomes of thinking whose prefix changed. */
  | "mismatch-header"
  /** Objects of the host's history go over the wire as they are. */
  | "own-objects"
  /** A result bears whether it is an error. */
  | "errors"
  /** A result names its tool. */
  | "named-results"
  | "pictures"
  /** A reply may hide what it thought. */
  | "hidden-thinking"
  /** A call id has to be there once in a conversation, or may come again: whichever, hosts repeat them. */
  | "repeated-ids";

/**
 * A wire as the soak's hosts speak it. The host keeps its history in the soak's own form; what a provider wrote is kept in a block's `native` and goes out
 * as it came.
 */
export interface Side {
  readonly name: string;
  /** Ids of models that a session may switch between, the plainest first. */
  readonly models: readonly string[];
  readonly wire: Wire;
  readonly has: ReadonlySet<Ability>;
  /** What stores of this wire's hosts do to a history (rule 4). */
  readonly storeForms: readonly StoreForm[];
  /** Path of the simulator, where it is not the wire's main one. */
  readonly path?: string;
  /** The stop reason of a reply that was refused; undefined: it has none. */
  readonly refusal: string | undefined;
  /** Rules that a session is not held to, since the service itself was seen not to have them. */
  readonly doubted?: readonly string[];
  /** Member of a request that lists its messages. */
  readonly list: "messages" | "input" | "contents";
  simulator(options: { readonly seed: string; readonly script: Script; readonly keep: number; readonly clock: Clock }): Simulator;
  /** What the host hands over. */
  request(asking: SoakRequest): object;
  /** A request of the wire in the soak's form: each of its messages behind the head is one. */
  read(request: object): ReadRequest;
  /** What a whole reply says; undefined: it is none. */
  content(reply: ObjectValue): readonly Block[];
  /** The same reply, cut before it was whole. */
  cut(reply: ObjectValue): object;
  /** The `count`th call id, as the provider writes them. */
  callId(count: number): string;
}

/** Messages of a turn: a block for which `alone` has one stands by itself, what lies between is said together. */
export function inMessages(
  blocks: readonly Block[],
  alone: (block: Block) => unknown,
  together: (blocks: readonly Block[]) => unknown,
): readonly unknown[] {
  const messages: unknown[] = [];
  let said: Block[] = [];
  const close = () => {
    if (said.length > 0) messages.push(together(said));
    said = [];
  };
  for (const block of blocks) {
    const own = alone(block);
    if (own === undefined) said.push(block);
    else {
      close();
      messages.push(own);
    }
  }
  close();
  return messages;
}

/** An effort as servers without a highest one call it. */
export function effortOf({ effort }: NonNullable<SoakRequest["output_config"]>): string {
  return effort === "max" ? "high" : effort;
}

/** The text of a host's system text, string or blocks. */
export function systemTextOf(system: SoakRequest["system"]): string {
  return typeof system === "string" ? system : system.map((block) => String((block as Block).text)).join("\n");
}

/** The text of a result, string or blocks. */
export function resultTextOf({ content }: Block): string {
  if (typeof content === "string") return content;
  return ((content ?? []) as readonly Block[]).map((block) => String(block.text ?? "")).join("\n");
}

/** JSON, or undefined for text that is none. */
export function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
