import { chanceOf } from "../src/simulator/chance.ts";
import { behaviourByName } from "./behaviours/table.ts";
import { asFailure, SessionOver, SoakFailure } from "./failure.ts";
import { Host, type HostSetup } from "./host.ts";
import type { Plan } from "./plan.ts";
import { Tally } from "./tally.ts";
import { describeTraits } from "./traits.ts";
import { Transcript } from "./transcript.ts";

export type Outcome = {
  readonly plan: Plan;
  readonly failure: SoakFailure | undefined;
  /** Steps that ran, the failing one included. */
  readonly stepsRun: number;
  readonly tally: Tally;
  readonly transcript: Transcript;
};

/** Whether someone reads the transcript, and what of the host is not as its plan says. */
type Running = Pick<HostSetup, "opens" | "compacts"> & { readonly isRead: boolean };

/** Runs a planned session to its end or to the first broken promise. The same plan does the same thing each time. */
export async function runSession(plan: Plan, { isRead, ...through }: Running): Promise<Outcome> {
  const tally = new Tally();
  const transcript = new Transcript(isRead);
  transcript.did(`host: ${describeTraits(plan.traits)}`);
  const host = await Host.start({ seed: String(plan.seed), traits: plan.traits, tally, transcript, ...through });
  host.keepsSaves = plan.steps.some(({ behaviour }) => behaviour === "restore, stale");
  let stepsRun = 0;
  try {
    for (const { behaviour, position } of plan.steps) {
      stepsRun += 1;
      host.chance = chanceOf(`${plan.seed}/${position}`);
      tally.begin(behaviour);
      transcript.did(`-- ${behaviour}`);
      const known = behaviourByName.get(behaviour);
      for (const reason of known?.mayBreak ?? []) host.mayBreak.add(reason);
      const happened = await known?.run(host);
      if (happened !== false) tally.happened();
    }
  } catch (error) {
    if (error instanceof SessionOver) return { plan, failure: undefined, stepsRun, tally, transcript };
    const failure = asFailure(error);
    if (!(failure instanceof SoakFailure)) throw failure;
    return { plan, failure, stepsRun, tally, transcript };
  }
  return { plan, failure: undefined, stepsRun, tally, transcript };
}
