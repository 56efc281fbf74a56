/**
 * What does `contextFetch` add to a request, beside one `JSON.stringify` of its body? With one new turn a request in a conversation that is named, and in one that is told by
 * its content. What it adds is reading the body, preparing it and writing it again.
 *
 * `pnpm bench fetch [--texts prose,code,cjk] [--messages 200,2000,10000] [--alternations 41]`
 */
import { parseArgs } from "node:util";
import type { Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { type ContextFetchOptions, contextFetch } from "@tidemark/core/fetch";
import { medians, type Subject } from "./prepare/alternate.ts";
import { type Message, makeHistory, type TextKind, textKinds } from "./prepare/history.ts";
import { parsed, type Request } from "./prepare/host.ts";
import { tell } from "./report/figure.ts";

/** Cost in units of one `JSON.stringify` of the body, at most. */
const limit = 2;
const messageBytes = 2_000;
const warmUps = 30;
/** So many messages before its length a conversation comes to this process, from a host that kept no thinking: to live a long one through means to send all that it ever sent. */
const livedMessages = 200;
const url = "https://api.example/v1/messages";
/** One request of a conversation, as an object and as a body, and the reply to it. */
type Round = { readonly object: Request; readonly body: string; readonly reply: Message | undefined };

export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      texts: { type: "string", default: textKinds.join(",") },
      messages: { type: "string", default: "200,2000,10000" },
      alternations: { type: "string", default: "41" },
    },
  });
  const alternations = Number(values.alternations);
  console.log(`median of ${alternations} alternations, in units of one JSON.stringify of the body\n`);
  let passed = true;
  for (const kind of textKinds.filter((text) => values.texts.split(",").includes(text))) {
    for (const count of values.messages.split(",").map(Number)) {
      const times = await medians(await subjectsOf(kind, count, alternations + warmUps), { counted: alternations, warmUps, seconds: 0 });
      const unit = times.get("stringify") as number;
      for (const name of ["named", "told by content"]) {
        const value = (times.get(name) as number) / unit;
        const holds = tell({ what: `contextFetch, ${name}, ${count} messages`, value, limit });
        passed &&= holds;
        console.log(
          `${kind.padEnd(6)} ${String(count).padStart(5)} messages  ${name.padEnd(16)} ${value.toFixed(2)} ${holds ? "ok" : `above ${limit}`}`,
        );
      }
    }
  }
  return passed;
}

/** Each round is one turn more of a conversation that has come so far. */
async function subjectsOf(kind: TextKind, count: number, rounds: number): Promise<readonly Subject<Round>[]> {
  const messages = unthinking(makeHistory(kind, count + 2 * rounds + 2, messageBytes), count - livedMessages);
  return [
    { name: "stringify", ready: roundsOf(messages, count), run: ({ object }) => JSON.stringify(object) },
    await asked("named", { session: () => "one" }, messages, count),
    await asked("told by content", {}, messages, count),
  ];
}

/** A history whose replies up to a position say what they thought. */
function unthinking(messages: readonly Message[], to: number): readonly Message[] {
  return messages.map((message, index) => (index < to ? { ...message, content: message.content.map(said) } : message));
}

function said(block: Message["content"][number]): Message["content"][number] {
  return block.type === "thinking" ? { type: "text", text: block.thinking + block.signature } : block;
}

/** The next request of a conversation each time, from this length on. */
function roundsOf(messages: readonly Message[], count: number): () => Round {
  let end = count - 1;
  return () => {
    end += 2;
    const object = parsed(JSON.stringify(messages.slice(0, end)));
    // As an SDK hands it over: a string that nothing else holds, on one piece.
    return { object, body: JSON.parse(JSON.stringify([JSON.stringify(object)]))[0], reply: messages[end] };
  };
}

/** The requests that lead to this length, from the one that comes with what was said before; each body is the one before with one turn more. */
function* startOf(messages: readonly Message[], count: number): Generator<Pick<Round, "body" | "reply">> {
  const first = Math.max(1, count - livedMessages + 1);
  const whole = JSON.stringify(parsed(JSON.stringify(messages.slice(0, first))));
  const end = "]}";
  let body = whole.slice(0, -end.length);
  for (let length = first; ; length += 2) {
    yield { body: body + end, reply: messages[length] };
    if (length + 2 > count) return;
    body += `,${JSON.stringify(messages[length])},${JSON.stringify(messages[length + 1])}`;
  }
}

async function asked(
  name: string,
  named: Pick<ContextFetchOptions, "session">,
  messages: readonly Message[],
  count: number,
): Promise<Subject<Round>> {
  let reply: Message | undefined;
  const fetch = contextFetch({
    ...named,
    wires: [anthropic() as unknown as Wire],
    fetch: async (_url, init) => {
      // As a client does that sends it: the text is needed on one piece.
      String(init?.body).charCodeAt(0);
      return Response.json({ type: "message", role: "assistant", content: reply?.content, stop_reason: "end_turn", usage: {} });
    },
  });
  let response: Response | undefined;
  const run = async (round: Pick<Round, "body" | "reply">): Promise<void> => {
    reply = round.reply;
    response = await fetch(url, { method: "POST", body: round.body });
  };
  /** The end of a reply settles its turn. */
  const hear = async (): Promise<void> => {
    await response?.json();
    response = undefined;
  };
  for (const round of startOf(messages, count)) {
    await run(round);
    await hear();
  }
  const ready = roundsOf(messages, count);
  return {
    name,
    ready: async () => {
      await hear();
      return ready();
    },
    run,
  };
}
