import { fill } from "../ledger/wordings.ts";
import { lastCut, questionAt } from "./cut.ts";
import { type Change, type OverflowInput, type OverflowStrategy, replaced, unchanged } from "./strategy.ts";

/** Leaves out all but what is pinned, the question being asked and the open calls, and says so in a notice (rule 39). It asks no model and cannot fail. */
export function reset(): OverflowStrategy {
  return {
    name: "reset",
    async run(input) {
      if (input.urgency === "early") return unchanged("there is room");
      const to = lastCut(input.groups);
      const notice: Change & { readonly kind: "recap" } = { kind: "recap", as: "notice", from: 0, to, text: noticeFor(input, to) };
      return takesAny(input, to) || shortensRecap(input, notice) ? replaced(notice) : unchanged("nothing is left to leave out");
    },
  };
}

/** Whether something goes that is no notice already and is not kept anyway. */
function takesAny({ groups }: OverflowInput, to: number): boolean {
  const question = questionAt(groups);
  return groups.slice(0, to).some(({ kind, pinned }, index) => kind !== "recap" && !pinned && index !== question);
}

/** A summary goes as well where the window does not fit with it: by more than the notice itself has, which might take the place of another. */
function shortensRecap(input: OverflowInput, notice: Change & { readonly kind: "recap" }): boolean {
  const { groups, measure } = input;
  if (measure.tokens <= measure.limit || groups[0]?.kind !== "recap" || notice.to === 0) return false;
  return input.after([notice]).measure.tokens < measure.tokens - input.count(notice.text);
}

function noticeFor(input: OverflowInput, to: number): string {
  const { groups, wordings } = input;
  const messages = groups.slice(0, to).reduce((sum, { members }) => members.reduce((all, { stands }) => all + stands, sum), 0);
  return fill(wordings.leftOut, { messages });
}
