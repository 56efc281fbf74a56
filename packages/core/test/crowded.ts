import type { Landing, OverflowReport, OverflowStrategy, Summarizer } from "../src/index.ts";
import type { Speaker } from "./speakers.ts";
import { Talk, type TalkOptions } from "./talk.ts";

/** A window of 2,000 tokens (beside the 1,000 of a reply) that is cut above 1,200 down to 600. */
export const small = { context: 3_000, output: 256, highWater: 1_200, lowWater: 600, measure: "counter" } as const;

/** So many words of prose that all begin with a name. */
export function prose(name: string, words: number): string {
  return `${name}: ${Array.from({ length: words }, (_, index) => ["copper", "linen", "quarry", "harbour", "meadow"][index % 5]).join(" ")}`;
}

/** A talk in a small window, and what its session told of its landings. */
export class Crowded extends Talk {
  readonly landings: Landing[] = [];
  readonly reports: OverflowReport[] = [];

  constructor(overflow: OverflowStrategy | undefined, options: TalkOptions = {}, speaker?: Speaker) {
    super({ budget: small, ...(overflow === undefined ? {} : { overflow }), ...options }, speaker);
    this.listen();
  }

  listen(): void {
    this.session.on("landing", (landing) => this.landings.push(landing));
    this.session.on("overflow", (report) => this.reports.push(report));
  }

  override restore(options: TalkOptions = {}): void {
    super.restore(options);
    this.listen();
  }

  /** Exchanges of about so many tokens each: `question 1`, `answer 1`, … */
  async exchange(count: number, words = 150): Promise<void> {
    const first = this.history.length / 2 + 1;
    for (let number = first; number < first + count; number++) {
      await this.ask(`question ${number}`);
      this.answer({ text: prose(`answer ${number}`, words) });
    }
  }
}

/** A summariser that answers with these, in turn; the last again and again. What it was asked is in `asked`. */
export function scripted(...answers: readonly (string | Error | Partial<Awaited<ReturnType<Summarizer>>>)[]): Summarizer & {
  readonly asked: Parameters<Summarizer>[0][];
} {
  const asked: Parameters<Summarizer>[0][] = [];
  const summarizer: Summarizer = async (input, { signal }) => {
    signal.throwIfAborted();
    asked.push(input);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? "";
    if (answer instanceof Error) throw answer;
    return { text: "", complete: true, refused: false, ...(typeof answer === "string" ? { text: answer } : answer) };
  };
  return Object.assign(summarizer, { asked });
}
