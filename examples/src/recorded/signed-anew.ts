import type { ObjectValue, Value } from "@tidemark/core";
import type { Simulator } from "@tidemark/testing";
import { isObject, messagesOf } from "../demo/body.ts";

/**
 * Recorded thinking bears signatures of the real provider, which the simulator cannot have made. Each run therefore remembers what the simulator signed in its
 * place. Thinking whose reply the run has not seen being made (older than the recording) is signed by a notary: a second simulator of the same seed, which is
 * sent what stood before it. What cannot be signed is left out.
 */
export class SignedAnew {
  readonly #notary: (request: ObjectValue, reply: ObjectValue) => Promise<ObjectValue | undefined>;
  /** New blocks by the proof of the recorded one; null: there is none. */
  readonly #blocks = new Map<string, ObjectValue | null>();

  constructor(notary: (request: ObjectValue, reply: ObjectValue) => Promise<ObjectValue | undefined>) {
    this.#notary = notary;
  }

  /** The recorded request with the thinking of this run. */
  async request(body: ObjectValue): Promise<ObjectValue> {
    const messages: Value[] = [];
    for (const message of messagesOf(body)) {
      if (isObject(message) && thinkingOf(message).some((block) => !this.#blocks.has(proofOf(block)))) {
        this.answered(message, await this.#notary({ ...body, messages }, message));
      }
      const signed = this.#signed(message);
      if (signed !== undefined) messages.push(signed);
    }
    return { ...body, messages };
  }

  /** A recorded reply, and the one that the simulator gave in its place. */
  answered(recorded: ObjectValue, reply: ObjectValue | undefined): void {
    const blocks = reply === undefined ? [] : thinkingOf(reply);
    for (const [at, block] of thinkingOf(recorded).entries()) this.#blocks.set(proofOf(block), blocks[at] ?? null);
  }

  /** From now on the conversation goes without the thinking that it has. */
  strip(): void {
    for (const proof of this.#blocks.keys()) this.#blocks.set(proof, null);
  }

  #signed(message: Value): Value | undefined {
    if (!isObject(message) || thinkingOf(message).length === 0) return message;
    const content = blocksOf(message).flatMap((block) => (isThinking(block) ? (this.#blocks.get(proofOf(block)) ?? []) : [block]));
    return content.length === 0 ? undefined : { ...message, content };
  }
}

/** Signs with a simulator of the same seed: it lets pass what has changed before, and says of the recorded reply what it would have said. */
export function notaryOf(
  simulatorFor: (reply: ObjectValue) => Simulator,
): (request: ObjectValue, reply: ObjectValue) => Promise<ObjectValue | undefined> {
  return async (request, reply) => {
    const { status, reply: made } = await simulatorFor(reply).handle(
      { ...request, stream: false },
      { headers: { "anthropic-version": "2023-06-01" } },
    );
    return status === 200 ? made : undefined;
  };
}

function thinkingOf(message: ObjectValue): readonly ObjectValue[] {
  return blocksOf(message).filter(isThinking);
}

function blocksOf({ content }: ObjectValue): readonly ObjectValue[] {
  return Array.isArray(content) ? (content as readonly Value[]).filter(isObject) : [];
}

function isThinking({ type }: ObjectValue): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function proofOf({ signature, data, thinking }: ObjectValue): string {
  return JSON.stringify([signature ?? null, data ?? null, thinking ?? null]);
}
