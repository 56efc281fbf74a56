import type Anthropic from "@anthropic-ai/sdk";
import { createSession, type Session, type Turn } from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import type { Ask, Request } from "./assistant.ts";

/** Makes an assistant's way to its model. `observe` is told of each prepared request, where there is one. */
export type Connect = (client: Anthropic, observe: (turn: Turn<Request>) => void) => Ask;

export const asToday: Connect = (client) => (request) => client.messages.create(request);

export const throughTidemark: Connect = (client, observe) => {
  const session = demoSession();
  return async (request) => {
    const turn = await session.prepare(request);
    observe(turn);
    const reply = await client.messages.create(turn.request, { headers: turn.headers });
    turn.settle(reply);
    return reply;
  };
};

/** The clock in the system text is said at the end when it moves; a difference without a checkpoint is an error. */
export const sessionOptions = { wire: anthropic(), systemChanges: "append", selfCheck: true, strict: true } as const;

function demoSession(): Session<AnthropicRequest> {
  return createSession(sessionOptions);
}
