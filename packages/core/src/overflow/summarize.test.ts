import { describe, expect, test } from "vitest";
import { Crowded, prose, scripted } from "../../test/crowded.ts";
import { speakers } from "../../test/speakers.ts";
import { allOf, breaks, sent, unmarked } from "../../test/talk.ts";
import { summarize } from "./summarize.ts";

describe.each(speakers)("summarize on $name (rule 38)", (speaker) => {
  test("replaces the older part by one message, and keeps the question", async () => {
    const summarizer = scripted("SUMMARY of it all");
    const talk = new Crowded(summarize({ summarizer }), {}, speaker);
    await talk.exchange(5, 230);
    const turn = await talk.ask("question 6");
    expect(talk.landings).toHaveLength(1);
    expect(sent(turn)[0]).toMatchObject({ role: "user" });
    expect(allOf(turn)).toMatch(/SUMMARY of it all.*question 6/s);
    expect(allOf(turn)).not.toContain("answer 1:");
    expect(talk.landings[0]?.tokensAfter).toBeLessThanOrEqual(600);
    expect(summarizer.asked).toHaveLength(1);
  });

  test("stands while the host goes on with its full history (rule 5)", async () => {
    const summarizer = scripted("SUMMARY of it all");
    const talk = new Crowded(summarize({ summarizer }), {}, speaker);
    await talk.exchange(5, 230);
    await talk.exchange(2, 20);
    expect(talk.landings).toHaveLength(1);
    const again = await talk.ask("question 8");
    expect(breaks(again)).toEqual([]);
    expect(allOf(again)).toContain("SUMMARY of it all");
  });

  test("edits the summary before it and never grows beyond its cap, five times over", async () => {
    const summarizer = scripted(prose("SUMMARY", 300));
    const talk = new Crowded(summarize({ summarizer, summaryTokens: 200 }), {}, speaker);
    for (let landing = 0; landing < 5; landing++) await talk.exchange(6);
    expect(talk.landings.length).toBeGreaterThanOrEqual(5);
    const turn = await talk.ask("and now?");
    expect(allOf(turn).split("<summary>")).toHaveLength(2);
    const { asked } = summarizer;
    expect(asked[0]?.previous).toBeUndefined();
    for (const { previous } of asked.slice(1)) expect(previous).toContain("SUMMARY: copper");
    expect(asked[1]?.instructions).toContain("Bring it up to date");
    for (const { replacement } of talk.landings) expect(JSON.stringify(replacement).length).toBeLessThan(200 * 8);
  });
});

test("rides the prefix: the same head and messages as were sent last, and behind them what to write and what of it stays (rule 38)", async () => {
  const summarizer = scripted("SUMMARY");
  const talk = new Crowded(summarize({ summarizer, instructions: () => "Write it down." }));
  talk.head = { max_tokens: 256, system: "be brief", tools: [{ name: "read", input_schema: { type: "object" } }] };
  await talk.exchange(4);
  const before = sent(talk.turn);
  await talk.exchange(1);
  const [asked] = summarizer.asked;
  const request = asked?.request as { system: unknown; messages: readonly { role: string; content: readonly { text?: string }[] }[] };
  expect(JSON.stringify(request.system)).toContain("be brief");
  expect(request).toMatchObject({ model: talk.speaker.model, tools: [{ name: "read" }] });
  const messages = unmarked(request.messages.slice(0, -1));
  expect(JSON.stringify(messages)).toBe(JSON.stringify(unmarked(before)));
  expect(request.messages.at(-1)?.content[0]?.text).toBe(
    'Write it down.\nOf the messages before this one the last 1, from the one that begins with "question 4" on, will stay as they are: leave them out of the record.',
  );
  expect(asked?.instructions).toBe("Write it down.");
  expect(asked?.transcript).not.toContain("question 4");
});

describe("nothing lands that must not (rule 36)", () => {
  test.each([
    ["empty", " \n"],
    ["truncated", { text: "SUMMARY", complete: false }],
    ["refused", { text: "I can't", refused: true }],
    ["too-long", prose("SUMMARY", 5_000)],
    ["overloaded", new Error("529")],
    ["aborted", Object.assign(new Error("stopped"), { name: "AbortError" })],
    ["invalid", '{"error":{"type":"overloaded_error"}}'],
    ["invalid", "Error: upstream request timeout"],
  ] as const)("%s", async (failure, answer) => {
    const talk = new Crowded(summarize({ summarizer: scripted(answer) }));
    await talk.exchange(6);
    const turn = await talk.ask("question 7");
    expect(breaks(turn)).toEqual([]);
    expect(allOf(turn)).toContain("answer 1");
    const [report] = talk.reports;
    expect(report).toMatchObject({ status: "failed", error: { failure, code: `overflow-${failure}` } });
    expect(report?.error?.message.length).toBeGreaterThan(40);
  });
});

test("what is pinned and the question being asked go on behind the summary (rules 35 and 38)", async () => {
  const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY"), keepRecentTurns: 0 }));
  await talk.ask("my name is Ada, never forget it");
  const unpin = talk.session.pin(talk.history[0] as object);
  talk.answer({ text: "hello Ada" });
  for (let number = 0; number < 7; number++) {
    await talk.ask(`question ${number}`);
    talk.answer({ text: prose("answer", 120) });
  }
  expect(talk.landings.length).toBeGreaterThan(0);
  expect(allOf(await talk.ask("who am I?"))).toMatch(/SUMMARY.*my name is Ada.*who am I\?/s);
  talk.answer({ text: "Ada" });
  unpin();
  for (let number = 0; number < 9; number++) {
    await talk.ask(`more ${number}`);
    talk.answer({ text: prose("answer", 120) });
  }
  expect(allOf(talk.turn)).not.toContain("my name is Ada");
});

test("a summary is asked for in place of more than it may have only, while there is room", async () => {
  const summarizer = scripted("SUMMARY");
  const talk = new Crowded(summarize({ summarizer, keepRecentTurns: 1, summaryTokens: 300 }));
  await talk.ask("hello");
  talk.answer({ text: "hello" });
  await talk.ask(prose("a long question", 1_000));
  talk.answer({ text: "a short answer" });
  expect(talk.turn?.budget.tokens).toBeGreaterThan(1_200);
  await talk.ask("go on");
  expect(summarizer.asked).toHaveLength(1);
  expect(talk.reports).toMatchObject([{ status: "unchanged" }]);
  expect(talk.landings).toHaveLength(1);
});
