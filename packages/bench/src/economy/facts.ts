import type { ChatMessage } from "./corpus.ts";

/** Where facts are planted, by shares: user text, replies, and the head, middle and tail of tool results. */
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

/** Plants a fact of each place in turn, in about every second message that can hold one. */
export function plant(messages: readonly ChatMessage[], seed: number): Planted {
  const chance = chanceOf(seed);
  const facts: string[] = [];
  let turn = 0;
  const planted = messages.map((message) => {
    if (chance() > 0.5) return message;
    const place = places.slice(message.role === "user" ? 0 : message.role === "assistant" ? 1 : 2)[
      message.role === "tool" ? turn++ % 3 : 0
    ];
    if (message.content === "" || place === undefined) return message;
    const fact = `[fact F-${Math.floor(chance() * 2 ** 32)
      .toString(16)
      .padStart(8, "0")}]`;
    facts.push(fact);
    return { ...message, content: put(message.content, fact, place) };
  });
  return { messages: planted, facts };
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
