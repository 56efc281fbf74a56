import { createSession, type ObjectValue, type Session, TidemarkError } from "@tidemark/core";
import type { Simulator } from "@tidemark/testing";
import { isObject } from "../demo/body.ts";
import type { RequestRow } from "../demo/request-row.ts";
import { RowMaker } from "../demo/row-maker.ts";
import { messageOf, type Provider } from "./provider.ts";
import type { Recording } from "./recording.ts";
import { notaryOf, SignedAnew } from "./signed-anew.ts";
import type { Step } from "./step.ts";
import { labelsOf } from "./step-labels.ts";

export type Way = "today" | "tidemark";

/** Plays a recording request by request in one of the two ways; the recorded replies are what the simulated provider says. */
export async function playRecording(
  recording: Recording,
  provider: Provider,
  way: Way,
  onRow: (row: RequestRow) => void,
): Promise<readonly RequestRow[]> {
  let reply: ObjectValue | undefined;
  const said = (recorded: ObjectValue | undefined) =>
    recorded === undefined ? { text: "(The recording shows no reply.)" } : { message: recorded };
  const simulator = provider.simulator(() => said(reply));
  const signed = new SignedAnew(notaryOf((recorded) => provider.simulator(() => said(recorded))));
  const maker = new RowMaker(simulator, provider.wire);
  const send = way === "today" ? asToday(simulator, signed) : throughTidemark(simulator, signed, provider, maker);
  const labels = labelsOf(recording.steps);
  const rows: RequestRow[] = [];
  for (const step of recording.steps) {
    reply = step.reply;
    const { answer, problem } = await send(step);
    if (reply !== undefined) signed.answered(reply, answer === undefined ? undefined : messageOf(provider.wire, answer));
    const row = { ...maker.make(labels[rows.length] ?? ""), ...(problem !== undefined && { problem }) };
    rows.push(row);
    onRow(row);
  }
  return rows;
}

type Sent = { readonly answer: ObjectValue | undefined; readonly problem?: string };

/** Sends what was recorded; when thinking is refused, all thinking is given up for good, as hosts do. */
function asToday(simulator: Simulator, signed: SignedAnew): (step: Step) => Promise<Sent> {
  return async (step) => {
    const first = await simulator.handle(await signed.request(step.body), { headers: headersOf(step) });
    if (first.status === 200) return { answer: first.reply };
    if (first.refusal?.message.includes("`thinking` block") !== true) return { answer: undefined };
    signed.strip();
    const second = await simulator.handle(await signed.request(step.body), { headers: headersOf(step) });
    return { answer: second.status === 200 ? second.reply : undefined };
  };
}

function throughTidemark(simulator: Simulator, signed: SignedAnew, { wire }: Provider, maker: RowMaker): (step: Step) => Promise<Sent> {
  const session: Session = createSession({ wire, systemChanges: "append", selfCheck: true });
  let invariant: string | undefined;
  session.on("invariant", ({ path }) => {
    invariant = `differs at ${path} without a checkpoint: a fault of Tidemark`;
  });
  return async (step) => {
    invariant = undefined;
    try {
      const turn = await session.prepare(await signed.request(step.body));
      maker.prepared(turn);
      const { status, reply } = await simulator.handle(turn.request, { headers: { ...headersOf(step), ...turn.headers } });
      if (status === 200) turn.settle(reply);
      return { answer: status === 200 && isObject(reply) ? reply : undefined, ...(invariant !== undefined && { problem: invariant }) };
    } catch (error) {
      if (!(error instanceof TidemarkError)) throw error;
      return { answer: undefined, problem: `not sent (${error.code}): ${error.message}` };
    }
  };
}

/** Where nothing was recorded, the older version, which refuses less. */
function headersOf({ headers }: Step): Readonly<Record<string, string>> {
  return { "anthropic-version": "2023-06-01", ...headers };
}
