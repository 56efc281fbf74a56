import type { RequestRow } from "./request-row.ts";
import { repairCount, uncachedTokens } from "./request-row.ts";
import type { Paint } from "./terminal.ts";

const width = 100;
const labelWidth = 29;

/** Both runs side by side, in 100 columns: a line a request, and one for each thing that needs words. */
export class Table {
  readonly #paint: Paint;
  #requests = 0;
  #saidRejection = false;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  head(): readonly string[] {
    const { bold, dim } = this.#paint;
    const indent = " ".repeat(4 + labelWidth);
    return [
      dim("kept, new: messages · rej: rejected attempts · rep: things repaired · read, uncached: prompt tokens"),
      "",
      bold(`${indent} │ ${"as hosts run today".padEnd(30)} │ through Tidemark`),
      bold(`  # ${"what the host brings".padEnd(labelWidth)} │ kept  new rej    read uncached │ kept  new rep    read uncached`),
      dim(`${"─".repeat(5 + labelWidth)}┼${"─".repeat(32)}┼${"─".repeat(31)}`),
    ];
  }

  lines(today: RequestRow, tidemark: RequestRow): readonly string[] {
    this.#requests += 1;
    const start = `${String(this.#requests).padStart(3)} ${cut(today.label, labelWidth).padEnd(labelWidth)}`;
    const left = this.#half(today, this.#marked(today.rejections.length, this.#paint.red));
    const right = this.#half(tidemark, this.#marked(repairCount(tidemark.repairs), this.#paint.yellow));
    const remarks = [...this.#firstRejection(today), ...remarksOf(tidemark)];
    return [`${start} │ ${left} │ ${right}`, ...remarks.map((remark) => `  └ ${cut(remark, width - 4)}`)];
  }

  #half({ kept, appended, usage }: RequestRow, special: string): string {
    const { green, red } = this.#paint;
    const repeats = `${String(kept).padStart(4)} ${String(appended).padStart(4)} ${special}`;
    if (usage === undefined) return `${repeats} ${red("not answered".padStart(16))}`;
    const read = figure(usage.cacheRead ?? 0).padStart(7);
    return `${repeats} ${usage.cacheRead === 0 ? read : green(read)} ${figure(uncachedTokens(usage)).padStart(8)}`;
  }

  #marked(count: number, highlight: (text: string) => string): string {
    return count === 0 ? this.#paint.dim("  ·") : highlight(figure(count).padStart(3));
  }

  /** The host's requests are refused for the same reason again and again; the words are said once. */
  #firstRejection({ rejections: [words] }: RequestRow): readonly string[] {
    if (words === undefined || this.#saidRejection) return [];
    this.#saidRejection = true;
    return [`today: rejected: ${words}`];
  }
}

function remarksOf({ rejections, checkpoints, repairs, problem }: RequestRow): readonly string[] {
  const remarks = [
    ...rejections.map((words) => `rejected: ${words}`),
    ...checkpoints.map(({ reason, path, class: kind, hint, voids }) => {
      const how = hint === undefined ? kind : `${kind}, ${hint}`;
      return `checkpoint: ${reason} (${how}) at ${path}${voids.length === 0 ? "" : `, voids ${count(voids.length, "thinking block")}`}`;
    }),
    ...(repairs?.resultsCapped ?? []).map(
      ({ tool, tokens, cap }) => `result of ${tool} capped at ${figure(cap)} tokens, of about ${figure(tokens)}`,
    ),
    ...(problem === undefined ? [] : [problem]),
  ];
  return remarks.map((remark) => `Tidemark: ${remark}`);
}

export function figure(value: number): string {
  return value.toLocaleString("en-US");
}

export function count(value: number, noun: string): string {
  return `${figure(value)} ${noun}${value === 1 ? "" : "s"}`;
}

function cut(text: string, widest: number): string {
  const [line = ""] = text.split("\n");
  return line.length <= widest ? line : `${line.slice(0, widest - 1)}…`;
}
