import type { ChatMessage } from "./corpus.ts";

/** Where facts are planted, in equal shares: user text, replies, and the head, middle and tail of tool results. */
const places = ["user", "reply", "head", "middle", "tail"] as const;

export type Planted = { readonly messages: readonly ChatMessage[]; readonly facts: readonly string[] };

/** A small generator with a seed. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Plants about one fact for two messages, as many in each of the places: in messages that can hold one, drawn by the seed, again in the same where they are few. */
export function plant(messages: readonly ChatMessage[], seed: number): Planted {
  const chance = chanceOf(seed);
  const each = Math.floor(messages.length / 2 / places.length);
  const facts: string[] = [];
  const planted = [...messages];
  for (const place of places) {
    const able = messages.flatMap((message, index) => (holds(message, place) ? [index] : []));
    for (let count = 0; count < each && able.length > 0; count++) {
      const at = able[Math.floor(chance() * able.length)] as number;
      const fact = `[fact F-${Math.floor(chance() * 2 ** 32)
        .toString(16)
        .padStart(8, "0")}]`;
      facts.push(fact);
      const message = planted[at] as ChatMessage;
      planted[at] = { ...message, content: put(message.content, fact, place) };
    }
  }
  return { messages: planted, facts };
}

function holds({ role, content }: ChatMessage, place: (typeof places)[number]): boolean {
  if (place === "user") return role === "user";
  return place === "reply" ? role === "assistant" && content !== "" : role === "tool";
}

function put(text: string, fact: string, place: (typeof places)[number]): string {
  if (place === "head") return `${fact}\n${text}`;
  if (place !== "middle") return `${text}\n${fact}`;
  const lines = text.split("\n");
  const at = lines.length >> 1;
  return [...lines.slice(0, at), fact, ...lines.slice(at)].join("\n");
}

const pattern = /\[fact F-[0-9a-f]{8}\]/g;

/** The scripted summariser, the same for everyone: two thirds of the facts that it is shown, in a few lines. */
export function summaryOf(text: string): string {
  const kept = [...new Set(text.match(pattern) ?? [])].filter((fact) => Number.parseInt(fact.slice(8, 16), 16) % 3 !== 0);
  return `The work so far was read, changed and checked as asked. What must be kept: ${kept.slice(-60).join(" ")}`;
}
