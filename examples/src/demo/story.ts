import type Anthropic from "@anthropic-ai/sdk";
import type { ReplyPart, ScriptedCall, ScriptedReply } from "@tidemark/testing";
import { type Dice, diceOf } from "./dice.ts";
import { borrowers, galleryRooms, inventoryNumber, kinds, makers, months } from "./museum.ts";
import { labelPhoto } from "./photo.ts";

/** What befalls an agent's host between two questions. */
export type Incident =
  | { readonly kind: "time"; readonly minutes: number }
  | { readonly kind: "reconnect"; readonly server: string }
  | { readonly kind: "restart" }
  | { readonly kind: "edit"; readonly question: string; readonly by: string };

/** One question of the registrar. `replies`: what the model says to it, the last one without calls. */
type Scene = {
  readonly incidents: readonly Incident[];
  readonly question: Anthropic.MessageParam["content"];
  readonly replies: readonly ScriptedReply[];
};

/** A session as it is told to both runs: the same questions, incidents and replies. */
export type Story = { readonly seed: string; readonly model: string; readonly scenes: readonly Scene[] };

/** Sixteen questions, 64 requests; what they are about, and how much is thought, follows from the seed. */
export function museumStory(seed: string): Story {
  const dice = diceOf(seed);
  const asked: string[] = [];
  const scenes = outline.map(({ ask, minutes, befalls }): Scene => {
    const { question, batches } = ask(dice, subjectOf(dice));
    const incidents = [...(minutes === undefined ? [] : [{ kind: "time", minutes } as const]), ...(befalls?.(asked) ?? [])];
    const first = asked.length === 0;
    asked.push(question);
    return { incidents, question: first ? withPhoto(question, dice) : question, replies: repliesOf(dice, batches) };
  });
  return { seed, model: "claude-sonnet-5-5", scenes };
}

type Subject = {
  readonly number: string;
  readonly kind: string;
  readonly maker: string;
  readonly borrower: string;
  readonly month: string;
};
type Question = { readonly question: string; readonly batches: readonly (readonly ScriptedCall[])[] };
type Asking = (dice: Dice, subject: Subject) => Question;

const travels: Asking = (_dice, { number, kind, maker, borrower, month }) => ({
  question: `Can the ${kind} by ${maker} go to ${borrower} in ${month}?`,
  batches: [
    [{ name: "search_collection", input: { query: `${maker} ${kind}`, limit: 6 } }],
    [
      { name: "object_record", input: { number } },
      { name: "condition_report", input: { number, detail: true } },
    ],
    [
      { name: "loan_calendar", input: { month, borrower } },
      { name: "quote_crate", input: { number, insulated: true, borrower } },
    ],
  ],
});

const compares: Asking = (dice, { kind, maker }) => {
  const numbers = [0, 1, 2].map(() => inventoryNumber(dice.below(900)));
  return {
    question: `Which ${kind} by ${maker} was conserved last, and is another one due?`,
    batches: [
      [{ name: "search_collection", input: { query: `${kind} ${maker}`, limit: 12 } }],
      numbers.map((number) => ({ name: "object_record", input: { number } })),
      numbers.map((number) => ({ name: "condition_report", input: { number, detail: false } })),
      [{ name: "condition_report", input: { number: numbers[0] ?? "", detail: true } }],
    ],
  };
};

const writes: Asking = (_dice, { number, kind, borrower, month }) => ({
  question: `Write to ${borrower} that ${number}, the ${kind}, can come in ${month}.`,
  batches: [
    [
      { name: "loan_calendar", input: { month, borrower } },
      { name: "condition_report", input: { number, detail: true } },
      { name: "object_record", input: { number } },
    ],
    [{ name: "quote_crate", input: { number, insulated: false, borrower } }],
    [{ name: "draft_letter", input: { to: borrower, body: `On the loan of ${number} in ${month}: the terms of last year stand.` } }],
  ],
});

const places: Asking = (dice, { number, kind }) => {
  const room = dice.pick(galleryRooms);
  return {
    question: `Where in the ${room} could ${number}, the ${kind}, stand?`,
    batches: [
      [{ name: "object_record", input: { number } }],
      [
        { name: "room_plan", input: { room, floor: 1 } },
        { name: "climate_log", input: { room, period: "week" } },
      ],
    ],
  };
};

/** The answer of the climate log is as long as a year. */
const audits: Asking = (dice) => {
  const room = dice.pick(galleryRooms);
  return {
    question: `How often was the ${room} too damp this year?`,
    batches: [[{ name: "climate_log", input: { room, period: "year" } }], [{ name: "room_plan", input: { room, floor: 0 } }]],
  };
};

type Plan = {
  readonly ask: Asking;
  /** That pass before the question; absent: it is asked in the same minute as the one before. */
  readonly minutes?: number;
  /** Beside the clock. `asked`: the questions so far. */
  readonly befalls?: (asked: readonly string[]) => readonly Incident[];
};

const outline: readonly Plan[] = [
  { ask: travels },
  { ask: compares, minutes: 2 },
  { ask: writes },
  { ask: places, minutes: 3 },
  { ask: audits, minutes: 1 },
  { ask: travels, befalls: () => [{ kind: "reconnect", server: "building" }] },
  { ask: compares, minutes: 2 },
  { ask: writes, befalls: () => [{ kind: "restart" }] },
  { ask: places, minutes: 1 },
  { ask: travels, minutes: 4 },
  { ask: compares, befalls: (asked) => [{ kind: "edit", question: asked[2] ?? "", by: `${asked[2]} Not before the crate is paid.` }] },
  { ask: writes, minutes: 2 },
  { ask: travels, minutes: 1, befalls: () => [{ kind: "reconnect", server: "collection" }] },
  { ask: places, befalls: () => [{ kind: "restart" }] },
  { ask: compares, minutes: 3 },
  { ask: writes, minutes: 2 },
];

function subjectOf(dice: Dice): Subject {
  return {
    number: inventoryNumber(dice.below(900)),
    kind: dice.pick(kinds),
    maker: dice.pick(makers),
    borrower: dice.pick(borrowers),
    month: dice.pick(months),
  };
}

function withPhoto(question: string, dice: Dice): Anthropic.ContentBlockParam[] {
  return [
    { type: "image", source: { type: "base64", media_type: "image/png", data: labelPhoto(dice.below(8_192)) } },
    { type: "text", text: `This label is on its crate. ${question}` },
  ];
}

/** Thinks before most replies, now and then once more before the calls, and answers when all batches are through. */
function repliesOf(dice: Dice, batches: Question["batches"]): readonly ScriptedReply[] {
  const working = batches.map((calls): ScriptedReply => {
    const parts: ReplyPart[] = [];
    if (dice.happens(0.85)) parts.push({ thinking: musing(dice) });
    if (dice.happens(0.4)) parts.push({ text: "Let me look that up." });
    if (parts.length === 2 && dice.happens(0.4)) parts.push({ thinking: musing(dice) });
    return { parts: [...parts, ...calls.map((call) => ({ call }))] };
  });
  return [...working, { thinking: musing(dice), text: musing(dice) }];
}

const openings = ["The record says", "The plan shows", "The conservator notes", "The calendar has it", "As I read it,"] as const;
const doubts = [
  "that the mount was changed before the last loan, so the measures may be those of the old case.",
  "nothing against a short journey, if the crate is insulated and goes upright.",
  "two objects of that name; the maker decides which one is meant.",
  "that the humidity stays within the range except in two weeks of late summer.",
  "a courier for the way out and none for the way back.",
] as const;

function musing(dice: Dice): string {
  return Array.from({ length: 2 + dice.below(5) }, () => `${dice.pick(openings)} ${dice.pick(doubts)}`).join(" ");
}

const incidentLabels: Readonly<Record<Incident["kind"], string>> = {
  time: "clock",
  reconnect: "tool order",
  restart: "keys sorted",
  edit: "edit of an old one",
};

/** What the host brings to each request of the story, in order: a question with what befell it, or the results of the calls before. */
export function requestLabels(story: Story): readonly string[] {
  return story.scenes.flatMap(({ incidents, replies }, at) => {
    const befell = incidents.map(({ kind }) => incidentLabels[kind]);
    const question = at === 0 ? "question + photo" : ["question", ...befell].join(" + ");
    return [question, ...replies.slice(0, -1).map(resultsLabel)];
  });
}

function resultsLabel({ parts = [] }: ScriptedReply): string {
  const calls = parts.flatMap((part) => ("call" in part ? [part.call] : []));
  if (calls.some(({ input }) => input["period"] === "year")) return "a long result";
  return calls.length === 1 ? "1 result" : `${calls.length} results`;
}

/** Positions of the requests before which the host edited what it had said. */
export function editPositions(story: Story): readonly number[] {
  let position = 0;
  return story.scenes.flatMap(({ incidents, replies }) => {
    const first = position;
    position += replies.length;
    return incidents.some(({ kind }) => kind === "edit") ? [first] : [];
  });
}
