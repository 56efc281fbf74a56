import type { Wire } from "@tidemark/core";
import { openaiChat } from "@tidemark/core/openai-chat";
import { asToday, type Connect, throughTidemark } from "../../../../examples/src/demo/connections.ts";
import { museumStory } from "../../../../examples/src/demo/story.ts";
import { runStory } from "../../../../examples/src/demo/story-run.ts";
import type { ChatMessage, Recorded } from "../economy/corpus.ts";
import { plant } from "../economy/facts.ts";
import { type Provider, providersFor } from "../economy/providers.ts";
import { aiSdkPrune, contextChef, langChain, noRecall, type Start, slidingWindow, tidemark, type Variant } from "../economy/variants.ts";
import { promptOf, type Request } from "./prompt.ts";

/** A request as an engine reads it. `landed`: it says itself that it does not go on from the one before. */
type Sent = { readonly prompt: string; readonly landed: boolean };

/** What one way to keep a conversation sends in one session. `summarised`: tokens that its summariser was given beside. */
export type Conversation = { readonly way: string; readonly sent: readonly Sent[]; readonly summarised: number };

/** The first one is the host as it is today. */
export type Session = { readonly name: string; readonly conversations: readonly Conversation[] };

const hostToday = "host as it is today";

/** The demo's agent: a clock in its system text, tools that reconnect in another order, a store that sorts keys, an edit. Of what it sends, what its provider answers. */
export async function demoSession(): Promise<Session> {
  return {
    name: "the demo",
    conversations: [await told(hostToday, asToday), await told("Tidemark", throughTidemark)],
  };
}

type Client = Parameters<Connect>[0];
type Asked = Parameters<ReturnType<Connect>>[0];

async function told(way: string, connect: Connect): Promise<Conversation> {
  const sent: Sent[] = [];
  const overheard: Connect = (client, observe) => {
    let landed = false;
    const create = async (request: Asked, options?: object) => {
      const reply = await client.messages.create(request, options);
      sent.push({ prompt: promptOf(request as unknown as Request), landed });
      return reply;
    };
    return connect({ messages: { create } } as unknown as Client, (turn) => {
      landed = turn.continuity.checkpoints.length > 0;
      observe(turn);
    });
  };
  await runStory(museumStory("lantern"), overheard);
  return { way, sent, summarised: 0 };
}

/**
 * A recorded session, kept within a budget by each of the ways of `bench economy`. The host as it is today, and the one that goes through Tidemark, have the time in their
 * system text; those of the other ways have not, so that what is seen is their cutting alone.
 */
export async function recordedSession({ id, messages, tokens }: Recorded, share: number): Promise<Session> {
  const context = Math.max(8_192, Math.floor(tokens * share));
  const planted = plant(messages, 7).messages;
  const ways: readonly ((still: Start, moving: Start) => Variant)[] = [
    (_still, moving) => asItIs(moving),
    slidingWindow,
    aiSdkPrune,
    langChain,
    contextChef,
    (_still, moving) => tidemark("chat", moving, { systemChanges: "append" }),
    (_still, moving) => tidemark("local", moving, { systemChanges: "append" }),
  ];
  const conversations: Conversation[] = [];
  for (const make of ways) {
    const clock = { seconds: 0 };
    const start = (now: () => number): Start => ({ provider: localServer(planted, now), context });
    conversations.push(
      await played(
        planted,
        make(
          start(() => 0),
          start(() => clock.seconds),
        ),
        clock,
      ),
    );
  }
  return { name: id, conversations };
}

const secondsOfTurn = 20;

async function played(messages: readonly ChatMessage[], way: Variant, clock: { seconds: number }): Promise<Conversation> {
  const sent: Sent[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const { request, breaks } = await way.request(messages.slice(0, index));
    sent.push({ prompt: promptOf(request as Request), landed: breaks > 0 });
    way.settle({ choices: [{ index: 0, message, finish_reason: message.tool_calls === undefined ? "stop" : "tool_calls" }] });
    clock.seconds += secondsOfTurn;
  }
  return { way: way.name, sent, summarised: way.summaries.given };
}

/** All that was said, every time. */
function asItIs({ provider }: Start): Variant {
  return {
    name: hostToday,
    request: async (history) => ({ request: provider.request(history), breaks: 0 }),
    settle: () => {},
    ...noRecall,
    summaries: { given: 0, written: 0 },
  };
}

/** The template that the prompts are laid out by takes system messages anywhere; of a model that it does not know, the wire does not assume so. */
const wire = openaiChat({ dialect: "llama-cpp", profiles: { "local-model": { positionalSystem: true } } }) as unknown as Wire;

/** llama.cpp's server under a host that tells its model the minute in its system text. */
function localServer(messages: readonly ChatMessage[], seconds: () => number): Provider {
  const server = providersFor(messages).at(-1) as Provider;
  return {
    ...server,
    wire,
    request: (history) => {
      const { messages: said, ...head } = server.request(history) as Request;
      const minute = new Date(seconds() * 1_000).toISOString().slice(11, 16);
      const content = `You are a careful programmer. Read before you write, and test what you wrote. It is ${minute}.`;
      return { ...head, messages: [{ role: "system", content }, ...said] };
    },
  };
}
