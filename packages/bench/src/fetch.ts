/**
 * What does `contextFetch` add to a request, beside one `JSON.stringify` of its body? With one new turn on a history whose session is named, and on one that is told by its
 * content. What it adds is reading the body, preparing it and writing it again.
 *
 * `pnpm bench fetch [--texts prose,code,cjk] [--messages 200,2000] [--alternations 41]`
 */
import { parseArgs } from "node:util";
import type { Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { contextFetch, type Fetch } from "@tidemark/core/fetch";
import { medians, type Subject } from "./prepare/alternate.ts";
import { type Message, makeHistory, type TextKind, textKinds } from "./prepare/history.ts";
import { converse, newSession, parsed } from "./prepare/host.ts";

/** Cost in units of one `JSON.stringify` of the body, at most. */
const limit = 2;
const messageBytes = 2_000;
const warmUpMessages = 30_000;
const url = "https://api.example/v1/messages";
const wires = [anthropic() as unknown as Wire];

export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      texts: { type: "string", default: textKinds.join(",") },
      messages: { type: "string", default: "200,2000" },
      alternations: { type: "string", default: "41" },
    },
  });
  const alternations = Number(values.alternations);
  console.log(`median of ${alternations} alternations, in units of one JSON.stringify of the body\n`);
  let passed = true;
  for (const kind of textKinds.filter((text) => values.texts.split(",").includes(text))) {
    for (const count of values.messages.split(",").map(Number)) {
      const rounds = { counted: alternations, warmUps: Math.max(5, Math.round(warmUpMessages / count)) };
      const times = await medians(await subjectsOf(kind, count), rounds);
      const unit = times.get("stringify") as number;
      for (const name of ["named", "told by content"]) {
        const value = (times.get(name) as number) / unit;
        const holds = value <= limit;
        passed &&= holds;
        console.log(
          `${kind.padEnd(6)} ${String(count).padStart(5)} messages  ${name.padEnd(16)} ${value.toFixed(2)} ${holds ? "ok" : `above ${limit}`}`,
        );
      }
    }
  }
  return passed;
}

async function subjectsOf(kind: TextKind, count: number): Promise<readonly Subject<RequestInit>[]> {
  const messages = makeHistory(kind, count + 1, messageBytes);
  const body = JSON.stringify(parsed(JSON.stringify(messages)));
  const object: unknown = JSON.parse(body);
  // A body as an SDK hands it over: a string that nothing else holds, on one piece.
  const ready = (): RequestInit => ({ method: "POST", body: JSON.parse(JSON.stringify([body]))[0] });
  const asked = (name: string, fetch: Fetch): Subject<RequestInit> => ({ name, ready, run: (init) => fetch(url, init) });
  return [
    { name: "stringify", ready, run: () => JSON.stringify(object) },
    asked("named", await named(messages)),
    asked("told by content", await toldByContent(messages)),
  ];
}

/** Each request finds a session that knows all but the last message. */
async function named(messages: readonly Message[]): Promise<Fetch> {
  const session = newSession("full");
  await converse(session, "full", messages.slice(0, -1));
  let round = 0;
  return contextFetch({
    wires,
    session: () => String(round++),
    sessions: () => session.fork() as never,
    sessionsMax: 1,
    fetch: sentNowhere,
  });
}

/** The conversation is found by what is said in it: the last reply was answered to a request that came through here. */
async function toldByContent(messages: readonly Message[]): Promise<Fetch> {
  const reply = messages.at(-2);
  const answer = { type: "message", role: "assistant", content: reply?.content, stop_reason: "end_turn", usage: {} };
  let answers = true;
  const fetch = contextFetch({ wires, fetch: async () => (answers ? Response.json(answer) : sentNowhere()) });
  const before = JSON.stringify(parsed(JSON.stringify(messages.slice(0, -2))));
  await (await fetch(url, { method: "POST", body: before })).json();
  answers = false;
  return fetch;
}

async function sentNowhere(): Promise<Response> {
  return new Response(null, { status: 204 });
}
