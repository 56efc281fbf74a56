import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSession, type ObjectValue, type Turn } from "@tidemark/core";
import { type GeminiRequest, gemini } from "@tidemark/core/gemini";
import { describe, expect, test } from "vitest";
import { geminiSimulator } from "../src/index.ts";
import { folder, isPresent } from "./recordings.ts";

if (!isPresent) console.warn(`No recordings in ${folder}: set TIDEMARK_DATA to play them. Skipped.`);

type Recording = { readonly id: string; readonly model: string | null; readonly contents: readonly ObjectValue[] } & ObjectValue;
type Request = GeminiRequest;

const recordings = isPresent ? readRecordings() : [];

describe.runIf(isPresent)("recorded Gemini sessions, content by content through a session and a strict provider", () => {
  test("are all there", () => {
    expect(recordings).toHaveLength(12);
  });

  test.each(recordings)("$id continues from request to request", async (recording) => {
    const { requests, faults } = await play(recording);
    expect(faults).toEqual([]);
    expect(requests).toBeGreaterThan(1);
  });
});

/**
 * Feeds a recorded history to one session as its host would: before each row of the model's contents the history up to there is prepared and sent, the row is what the
 * simulator answers, with signatures of its own, and goes into the history as it was cut.
 */
async function play({ contents, model, systemInstruction, tools, toolConfig }: Recording) {
  let row: readonly ObjectValue[] = [];
  const simulator = geminiSimulator({ script: () => ({ message: { role: "model", parts: row.flatMap(partsOf) } }) });
  const session = createSession({ wire: gemini(), strict: true, selfCheck: true, toolResultCap: false });
  const head = { model: model ?? "gemini-3-flash-preview", ...defined({ systemInstruction, tools, toolConfig }) };
  const history: ObjectValue[] = [];
  const faults: string[] = [];
  let last: Turn<Request> | undefined;
  let requests = 0;

  const ask = async (): Promise<readonly ObjectValue[]> => {
    const turn = await session.prepare<Request>({ ...head, contents: JSON.parse(JSON.stringify(history)) as ObjectValue[] });
    requests += 1;
    faults.push(...turn.continuity.checkpoints.map(({ reason, path }) => `request ${requests}: checkpoint ${reason} at ${path}`));
    faults.push(...unrepeated(last, turn).map((fault) => `request ${requests}: ${fault}`));
    last = turn;
    const { reply, refusal } = await simulator.handle(turn.request);
    if (refusal !== undefined) faults.push(`request ${requests}: refused by ${refusal.rule}: ${refusal.message}`);
    else turn.settle(reply);
    return partsOf((reply.candidates as readonly { content: ObjectValue }[] | undefined)?.[0]?.content);
  };

  for (let at = 0; at < contents.length; ) {
    const end = contents.findIndex((content, index) => index >= at && (content.role === "model") !== (contents[at]?.role === "model"));
    row = contents.slice(at, end < 0 ? undefined : end);
    history.push(...(row[0]?.role === "model" ? cutAs(row, await ask()) : row));
    at += row.length;
  }
  if (history.at(-1)?.role !== "model") await ask();
  for (const text of textsIn(history.filter(({ role }) => role !== "model"))) {
    if (!JSON.stringify(last?.request.contents).includes(JSON.stringify(text).slice(1, -1)) && history.at(-1)?.role !== "model")
      faults.push(`not said: ${text}`);
  }
  return { requests, faults };
}

/** What was answered stands again as it was sent, to the byte. */
function unrepeated(before: Turn<Request> | undefined, now: Turn<Request>): readonly string[] {
  const sent = sentBy(before).map((content) => JSON.stringify(content));
  const again = sentBy(now)
    .slice(0, sent.length)
    .map((content) => JSON.stringify(content));
  return sent.flatMap((text, index) => (text === again[index] ? [] : [`content ${index} is not what it was`]));
}

function sentBy(turn: Turn<Request> | undefined): readonly ObjectValue[] {
  return (turn?.request.contents ?? []) as readonly ObjectValue[];
}

/** The reply's parts, cut into contents as the recording has them. */
function cutAs(row: readonly ObjectValue[], parts: readonly ObjectValue[]): readonly ObjectValue[] {
  let from = 0;
  return row.map((content) => {
    const to = from + partsOf(content).length;
    const own = parts.slice(from, to);
    from = to;
    return { role: "model", parts: own };
  });
}

function partsOf(content: ObjectValue | undefined): readonly ObjectValue[] {
  return (content?.parts ?? []) as readonly ObjectValue[];
}

function textsIn(contents: readonly ObjectValue[]): readonly string[] {
  return contents.flatMap((content) =>
    partsOf(content).flatMap(({ text }) => (typeof text === "string" && text.trim() !== "" ? [text] : [])),
  );
}

function defined(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined && member !== null));
}

function readRecordings(): readonly Recording[] {
  const index = JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
    readonly sessions: readonly { readonly file: string; readonly format: string }[];
  };
  const files = index.sessions.filter(({ format }) => format === "gemini-contents");
  return files.map(({ file }) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording);
}
