import { fill } from "../ledger/wordings.ts";
import { lastCut, questionAt } from "./cut.ts";
import { type OverflowInput, type OverflowStrategy, replaced, unchanged } from "./strategy.ts";

/** Leaves out all but what is pinned, the question being asked and the open calls, and says so in a notice (rule 39). It asks no model and cannot fail. */
export function reset(): OverflowStrategy {
  return {
    name: "reset",
    async run(input) {
      if (input.urgency === "early") return unchanged("there is room");
      const to = lastCut(input.groups);
      if (!takesAny(input, to)) return unchanged("nothing is left to leave out");
      return replaced({ kind: "recap", as: "notice", from: 0, to, text: noticeFor(input, to) });
    },
  };
}

/** Whether something goes that is no notice already and is not kept anyway. */
function takesAny({ groups }: OverflowInput, to: number): boolean {
  const question = questionAt(groups);
  return groups.slice(0, to).some(({ kind, pinned }, index) => kind !== "recap" && !pinned && index !== question);
}

function noticeFor(input: OverflowInput, to: number): string {
  const { groups, wordings } = input;
  const messages = groups.slice(0, to).reduce((sum, { members }) => sum + members.filter(({ kind }) => kind === "host").length, 0);
  return fill(wordings.leftOut, { messages });
}
