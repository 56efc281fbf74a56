import { behaviourByName } from "./behaviours/table.ts";
import { isPossible, type Plan } from "./plan.ts";
import { type Outcome, runSession } from "./run-session.ts";
import { shrinkList, simplify } from "./shrink.ts";
import { sideNamed } from "./sides/table.ts";
import { type Traits, traitValues } from "./traits.ts";

/** The smallest session that fails in the same way: fewer steps, a plainer host. */
export async function shrinkPlan({ plan, failure, stepsRun }: Outcome): Promise<Outcome> {
  const kind = failure?.kind;
  const fails = async (candidate: Plan): Promise<boolean> =>
    isRunnable(candidate) && (await runSession(candidate, { isRead: false })).failure?.kind === kind;
  const first = { ...plan, steps: plan.steps.slice(0, stepsRun) };
  const steps = await shrinkList(first.steps, (kept) => fails({ ...first, steps: kept }));
  const { models } = sideNamed(plan.traits.wire);
  const values = { wire: [plan.traits.wire], model: models, ...traitValues } as {
    readonly [name in keyof Traits]: readonly Traits[name][];
  };
  const traits = await simplify<Traits>(plan.traits, values, (simpler) => fails({ ...plan, steps, traits: simpler }));
  const fewer = await shrinkList(steps, (kept) => fails({ ...plan, traits, steps: kept }));
  return runSession({ ...plan, traits, steps: fewer }, { isRead: true });
}

function isRunnable({ steps, traits }: Plan): boolean {
  return steps.every(({ behaviour }) => {
    const known = behaviourByName.get(behaviour);
    return known !== undefined && isPossible(known, traits);
  });
}
