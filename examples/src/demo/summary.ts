import type { Prices } from "@tidemark/core";
import { count, figure } from "./table.ts";
import type { Paint } from "./terminal.ts";
import type { Totals } from "./totals.ts";

/** The model that was paid for. */
export type Paid = { readonly model: string; readonly prices: Prices | undefined };

/** The totals of both runs, and what they come to in two lines. */
export function summary(today: Totals, tidemark: Totals, paid: Paid, paint: Paint): readonly string[] {
  const line = (name: string, left: string, right: string, colour = (text: string) => text): string =>
    `  ${name.padEnd(30)}${left.padStart(22)}${colour(right.padStart(22))}`;
  return [
    paint.bold(line("totals", "as hosts run today", "through Tidemark")),
    line("requests sent", figure(today.sent), figure(tidemark.sent)),
    line("rejected", figure(today.rejected), figure(tidemark.rejected), tidemark.rejected === 0 ? paint.green : paint.red),
    line("checkpoints", "–", figure(tidemark.checkpoints)),
    line("prompt tokens", figure(today.prompt), figure(tidemark.prompt)),
    line("  read from the cache", shareOf(today), shareOf(tidemark), paint.green),
    line("  uncached", figure(today.uncached), figure(tidemark.uncached)),
    line("output tokens", figure(today.output), figure(tidemark.output)),
    ...priceLines(today, tidemark, paid, line),
    "",
    `  Today:    ${count(today.rejected, "rejected request")}; ${percent(today.read, today.prompt)} of the prompt came from the cache${priceWords(today)}.`,
    paint.bold(
      `  Tidemark: ${count(tidemark.rejected, "rejected request")}, ${count(tidemark.checkpoints, "checkpoint")}; ` +
        `${percent(tidemark.read, tidemark.prompt)} of the prompt came from the cache${priceWords(tidemark)}.`,
    ),
  ];
}

function priceLines(
  today: Totals,
  tidemark: Totals,
  { model, prices }: Paid,
  line: (name: string, left: string, right: string) => string,
): readonly string[] {
  if (prices === undefined || today.price === undefined || tidemark.price === undefined) return [line("price", `of ${model} unknown`, "")];
  const writing = Object.entries(prices.cacheWrite).map(([lifetime, price]) => `, ${price} write ${lifetime}`);
  return [
    line("price", dollars(today.price), dollars(tidemark.price)),
    `  (${model}, $ a million tokens: ${prices.input} input, ${prices.cacheRead} read${writing.join("")}, ${prices.output} output)`,
  ];
}

function priceWords({ price }: Totals): string {
  return price === undefined ? "" : `; ${dollars(price)}`;
}

function shareOf({ read, prompt }: Totals): string {
  return `${figure(read)} (${percent(read, prompt)})`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 100)} %`;
}

function dollars(value: number): string {
  return `$${value.toFixed(4)}`;
}
