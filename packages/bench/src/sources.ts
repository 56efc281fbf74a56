/**
 * An agent tells its model things that change in every turn: a task's state, memory, a mode, the hour. What does each way of telling them cost over a hundred turns, and is
 * signed thinking kept?
 *
 * `pnpm bench sources`
 */
import { tell } from "./report/figure.ts";
import { type Outcome, play } from "./sources/agent.ts";
import { appended, chef, rewritten } from "./sources/ways.ts";

/** One that does not bind its thinking, so that only the cache is compared, and one that does. */
const models = ["claude-opus-5", "claude-opus-5-5"] as const;
/** A token read from the cache, and one written to it, in uncached ones: Anthropic's pricing page. */
const readPrice = 0.1;
const writePrice = 1.25;
/** Appending must cost at most this share of the best other way. */
const costShareMax = 0.5;

export async function run(): Promise<boolean> {
  console.log(["way", "model", "prompt", "read", "written", "of the prompt", "cost", "dropped", "refused"].map(cell).join(" "));
  let passed = true;
  for (const model of models) {
    const outcomes: Outcome[] = [];
    for (const way of ways()) {
      const outcome = await play(way, model);
      outcomes.push(outcome);
      console.log(rowOf(outcome).map(cell).join(" "));
    }
    passed &&= holds(outcomes);
  }
  return passed;
}

function ways(): readonly ReturnType<typeof appended>[] {
  return [
    appended(),
    chef("context-chef, default", {}, "system"),
    chef("context-chef, tail", { skillPlacement: "tail", memory: { memoryPlacement: "before_history_tail" } }, "last_user"),
    rewritten(),
  ];
}

function holds([own, ...others]: readonly Outcome[]): boolean {
  if (own === undefined || others.length === 0) return false;
  const lost = tell({ what: "requests refused and thinking dropped, appended", value: own.refused + own.dropped, limit: 0 });
  const able = others.filter(({ refused }) => refused === 0);
  const costs = able.map((other) => tell({ what: `cost beside ${other.name}`, value: costOf(own) / costOf(other), limit: costShareMax }));
  return lost && costs.every(Boolean);
}

/** In prompt tokens at the uncached price. */
function costOf({ prompt, read, written }: Outcome): number {
  return prompt - read - written + read * readPrice + written * writePrice;
}

function rowOf(outcome: Outcome): readonly (string | number)[] {
  const { name, model, prompt, read, written, dropped, refused } = outcome;
  return [name, model, prompt, read, written, `${Math.round((read / prompt) * 100)} %`, Math.round(costOf(outcome)), dropped, refused];
}

function cell(value: string | number, column: number): string {
  return column < 2 ? String(value).padEnd(24) : String(value).padStart(13);
}
