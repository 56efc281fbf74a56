import { it } from "vitest";

/** What every wire promises, by the name under which a subject is exempt from it. */
const promises = {
  replay: "rule 1: a reply goes out again as the provider made it",
  restore: "rule 48: a session restored from its snapshot sends the same bytes",
  ruleSamples: "rule 53: each shape rule has a request that breaks it and a neighbour that does not",
  readsBack: "a message is the same when it is read, composed and read again",
  emptyText: "rule 10: empty text beside other words is left out, and an empty reply is not sent",
  unicode: "rule 9: broken Unicode is mended once and stays so",
  pending: "rule 12: a request with pending calls is not prepared where the wire refuses it",
  movedPast: "rule 12: a call that the conversation moved past gets one result that says why",
  late: "rule 12: a late result is said as text and is no break",
  orphan: "rule 12: a result without its call goes out as text that names it",
  duplicate: "rule 12: a result that is handed over twice is sent once",
  resultOrder: "rule 11: parallel results go out in the order of their calls, in whichever order they come",
  keyOrder: "rule 4: another order of keys is repaired",
  alike: "rule 4: what the provider reads alike is repaired",
  reasoningKept: "rule 15: reasoning goes back exactly as the reply gave it",
  reasoningRestored: "rule 4: reasoning that a store lost is sent again",
  reasoningForeign: "rule 15: bound reasoning of another model stays away, its words go, and switching back restores it",
  reasoningOmitted: "rule 15: a session that omits reasoning sends none",
  usage: "rule 32: usage is normalised; unreported is undefined, and a reported 0 is 0",
  accumulator: "a streamed reply is the whole reply, in whatever pieces it comes",
  unfinished: "a stream that was cut settles nothing",
  strayEvents: "stream events that the wire does not know change nothing",
  overflow: "an error that says the prompt is too long is known with its figures, and no other is",
  marks: "rule 54: cache marks change nothing else",
  hostMarks: "rule 4: a host's marks are no part of what is compared",
  unknown: "rule 55: an unknown block or member is carried verbatim",
  recognised: "its requests are recognised, and taken apart and put together without a loss",
} as const;

export type ContractPromise = keyof typeof promises;

/** Registers the test of a promise, or what the subject is exempt from with its reason. */
export function promise(
  { exempt = {} }: { readonly exempt?: { readonly [name in ContractPromise]?: string } },
  name: ContractPromise,
  test: () => void | Promise<void>,
): void {
  const reason = exempt[name];
  if (reason === undefined) it(promises[name], test);
  else it.skip(`${promises[name]} (exempt: ${reason})`, test);
}
