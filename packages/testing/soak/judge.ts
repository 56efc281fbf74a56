import type { Checkpoint, CheckpointHint, CheckpointReason } from "@tidemark/core";
import { SoakFailure } from "./failure.ts";
import { type Block, holdsResult, type Message, signatureOf, signaturesOf } from "./history.ts";
import { commonLength, givenChain, isPrefix, isReply, onlyThinks, providerChain, repliesTo, untilLastReply } from "./plain-model.ts";
import type { Traits } from "./traits.ts";
import type { Told } from "./way-in.ts";
import { headFields, type Window } from "./window.ts";
import { isEvent, isFold, isKept, placesOf, recapForm, type Word, wordsOf, wordsSummarised } from "./words.ts";

/** What model and wire of a request can do. */
export type Abilities = {
  readonly binds: boolean;
  readonly positionalSystem: boolean;
  readonly speaksBehindResults: boolean;
  readonly joins: boolean;
};

/** A prepared request beside the one before it on the same session. */
export type Case = {
  readonly before: Window | undefined;
  readonly now: Window;
  readonly told: Told;
  readonly traits: Traits;
  readonly models: Abilities;
  readonly inLoop: boolean;
  /** Some windows before that one, of whichever history. */
  readonly earlier: readonly Window[];
  /** The host asked to start over. */
  readonly restarted: boolean;
  /** The last request went to another provider: a reply that came from there answers nothing that was asked here. */
  readonly isBack: boolean;
  /** It took a landing back: what that replaced shows again (rule 7). */
  readonly revoked: boolean;
  /** Whether one can tell what of the dropped start the window has to keep. */
  readonly isStartKnown: boolean;
  /** Reasons that something in the session so far may lead to. */
  readonly mayBreak: ReadonlySet<CheckpointReason>;
  /** Words that a landing took out of the window. */
  readonly taken: ReadonlySet<Word>;
  /** Words of messages that are pinned. */
  readonly pinned: ReadonlySet<Word>;
  /** Signatures of reasoning of which the session was told that the provider does not read it. */
  readonly unread: ReadonlySet<string>;
  /** What each source has to say; undefined: there are none. */
  readonly sources: ReadonlyMap<string, Word> | undefined;
};

/** Every promise that can be checked when a request is prepared. @throws {SoakFailure} */
export function judge(subject: Case): void {
  for (const check of checks) check(subject);
}

const checks: readonly ((subject: Case) => void)[] = [
  headIsRepeatedOrReported,
  messagesAreRepeatedOrReported,
  checkpointsAreTrue,
  checkpointsAreProvoked,
  reasonsAreAllowed,
  ledgerIsReported,
  nothingSaidIsMissing,
  nothingElseIsSaid,
  everythingStandsInItsPlace,
  systemTextIsSaid,
  sourcesAreHeard,
  limitIsKept,
  summariesAreFresh,
  ownReplyKeepsItsReasoning,
  unreadReasoningStaysAway,
  onlyLoopsAreHeld,
];

/** Rule 1. */
function headIsRepeatedOrReported({ before, now, told }: Case): void {
  if (before === undefined) return;
  for (const field of headFields) {
    if (before.headBytes[field] === now.headBytes[field] || [field, "ledger", "model"].some((reason) => has(told, reason))) continue;
    throw new SoakFailure(`unreported ${field}`, `the ${field} changed and no checkpoint says so (rule 1)`, [
      `before: ${before.headBytes[field]}`,
      `now:    ${now.headBytes[field]}`,
    ]);
  }
}

/** Rule 1: what the new history shows as answered goes out again byte for byte, or a checkpoint says where that stops. */
function messagesAreRepeatedOrReported(subject: Case): void {
  const { before, now, told, models } = subject;
  if (before === undefined) return;
  const same = commonLength(before.bytes, now.bytes);
  if (same >= repeatedTo(before, subject) || (models.joins && isLastGrown(before, now, same))) return;
  const { checkpoints } = told.continuity;
  const history = checkpoints.find(({ reason }) => reason === "history");
  const facts = [`before: ${before.bytes[same]}`, `now:    ${now.bytes[same]}`];
  const landed = checkpoints.some((checkpoint) => isLanding(checkpoint) && checkpoint.at - now.lead <= same);
  if (history !== undefined && !landed && history.at - now.lead > same)
    throw new SoakFailure("late checkpoint", `the checkpoint says ${history.at}, message ${same} already differs (rule 1)`, facts);
  if (checkpoints.length === 0)
    throw new SoakFailure("unreported break", `message ${same} was not repeated and no checkpoint says so (rule 1)`, facts);
}

/** Where two messages of the user may not stand side by side, what comes behind the last one without a reply between them stands in it (rule 17): the provider reads on. */
function isLastGrown(before: Window, now: Window, same: number): boolean {
  const [was, is] = [before.messages[same], now.messages[same]];
  return (
    same === before.messages.length - 1 && was !== undefined && is !== undefined && isPrefix(providerChain([was]), providerChain([is]))
  );
}

/** A checkpoint where nothing that was sent changed. */
function checkpointsAreTrue({ before, now, told, restarted, traits }: Case): void {
  for (const checkpoint of told.continuity.checkpoints) {
    const isStart = restarted || before === undefined;
    if (checkpoint.reason === "ledger" ? isStart : isStart ? isLanding(checkpoint) : changed(checkpoint, before, now, traits)) continue;
    throw new SoakFailure(`false ${checkpoint.reason}`, `the checkpoint ${describe(checkpoint)} has nothing that changed`);
  }
}

function changed({ reason }: Pick<Checkpoint, "reason">, before: Window, now: Window, traits: Traits): boolean {
  // With another model the same system text may come to stand elsewhere in the prompt.
  if (reason === "system" && before.head.model !== now.head.model) return true;
  // A landing is a checkpoint wherever it is made: what it takes may have come since the last window, behind an old snapshot or in one long step (rules 26 and 43).
  if (isLanding({ reason })) return !isPrefix(before.bytes, now.bytes) || now.given.words.some((word) => !now.words.includes(word));
  if (reason !== "history") return before.head[reason as "model"] !== now.head[reason as "model"];
  const to = isAnswered(before, now, traits) ? before.messages.length : before.answeredTo;
  return !isPrefix(providerChain(before.messages.slice(0, to)), providerChain(now.messages));
}

/** Whether the reply that a window got stands in the new history, wherever; where the session was not told its reply, whether one may. */
function isAnswered({ given, fate }: Window, now: Window, traits: Traits): boolean {
  if (holdsReply(now, fate.reply)) return true;
  const isTold = traits.settles !== "never" && !fate.restored;
  return !isTold && now.given.chain.slice(commonLength(given.chain, now.given.chain)).some(isReply);
}

/** A checkpoint that the host did nothing for: it only added to its history. */
function checkpointsAreProvoked({ before, now, told, earlier, taken, restarted, revoked, isStartKnown, traits }: Case): void {
  const [checkpoint] = told.continuity.checkpoints;
  if (told.continuity.checkpoints.some(isLanding)) return;
  if (checkpoint === undefined || before === undefined || restarted || revoked || !isStartKnown || before.held > 0 || before.fate.dropped)
    return;
  if (taken.size > 0 && (checkpoint.hint === "shared-session" || returnsFurther(before, now, earlier))) return;
  // A folded loop takes a system message before it along, which may not stand before a user's (rule 62 c).
  if (checkpoint.hint === "folded-loop" && before.messages.at(-1)?.role === "system") return;
  // Lent reasoning is sent once; whoever does not settle the reply cannot tell whether it was taken (rules 6 and 62 b).
  if (traits.header === "drop" && before.inLoop && (before.fate.reply === undefined || traits.settles === "never")) return;
  if (headFields.some((field) => before.given.head[field] !== now.given.head[field])) return;
  const answered = isAnswered(before, now, traits);
  const extended = [before.given.chain, before.asGiven].some((chain) =>
    isPrefix(answered ? chain : untilLastReply(chain), now.given.chain),
  );
  if (!extended) return;
  throw new SoakFailure(`unprovoked ${checkpoint.reason}`, `the host only added to its history, yet: ${describe(checkpoint)}`);
}

/** Back to an older window, of which a landing has taken since what this one repeats: its reply stands further on than anything of the last window. */
function returnsFurther(before: Window, { given: { chain } }: Window, earlier: readonly Window[]): boolean {
  const common = commonLength(before.given.chain, chain);
  return earlier.some(({ given }) => given.chain.length > common && repliesTo(given.chain, chain));
}

/** What any other break may bring along (rule 62 b, c). */
const consequences: readonly (CheckpointHint | undefined)[] = ["folded-loop", "dropped-by-provider"];

/** A reason that nothing in the whole session could lead to. */
function reasonsAreAllowed({ told, mayBreak }: Case): void {
  const odd = told.continuity.checkpoints.find(
    ({ reason, hint }) =>
      !mayBreak.has(reason) && (mayBreak.size === 0 || !consequences.includes(hint)) && !(reason === "system" && has(told, "model")),
  );
  if (odd !== undefined) throw new SoakFailure(`baseless ${odd.reason}`, `nothing in this session leads to ${describe(odd)}`);
}

/** Rule 8. */
function ledgerIsReported({ before, now, told, restarted }: Case): void {
  const met = before === undefined && now.given.chain.some((text) => isReply(text) && text !== onlyThinks);
  if ((met || restarted) && !has(told, "ledger"))
    throw new SoakFailure("unreported ledger", "there is no window to repeat, and no checkpoint says so (rule 8)");
}

/** Only a landing takes words away, none that the model has not seen (rule 35), and none that are pinned (rules 38, 39 and 42). Where the head is no field, leading system messages are in it (rule 26). */
function nothingSaidIsMissing({ now, told, taken, pinned, isStartKnown }: Case): void {
  const sent = new Set([...now.words, ...(now.lead > 0 ? now.systemWords : [])]);
  const lands = told.continuity.checkpoints.some(isLanding);
  const mayMiss = (word: Word): boolean => (lands || taken.has(word)) && !now.given.unseen.includes(word) && !pinned.has(word);
  const missing = now.given.words.filter((word) => !sent.has(word) && !mayMiss(word));
  if (missing.length === 0 || standsUnchanged(now) || !isStartKnown) return;
  throw new SoakFailure("missing words", `the history says ${missing.join(" ")}, the request does not`);
}

/**
 * What the history no longer says is gone, unless the loop holds it, or it stands under a folded loop (rule 7). A recap stands, with what it kept, also where the host hands over no more than
 * what follows it (rules 5 and 39).
 */
function nothingElseIsSaid({ before, now, traits, isStartKnown }: Case): void {
  const standing = [...recapOf(before, now), ...now.messages.filter(isKept), ...(now.underRecap > 0 ? now.messages.filter(isFold) : [])];
  const said = traits.systemChanges === "append" ? now.headWords : [];
  const given = new Set([...now.given.words, ...wordsOf(standing), ...said]);
  const stale = now.words.filter((word) => !given.has(word) && !"se".includes(word[1] ?? ""));
  if (stale.length === 0 || now.held > 0 || !isStartKnown) return;
  throw new SoakFailure("stale words", `the request says ${stale.join(" ")}, the history does not`);
}

/** What a window begins with that goes on behind the recap of the one before: the recap, and the words that it kept of what it replaced. */
function recapOf(before: Window | undefined, now: Window): Window["messages"] {
  const recap = recapIn(now);
  return before !== undefined && commonLength(before.bytes, now.bytes) >= recap.length ? recap : [];
}

function recapIn({ messages, bytes }: Window): Window["messages"] {
  const to = messages.findIndex(({ role }) => role === "assistant");
  return recapForm.test(bytes[0] ?? "") ? messages.slice(0, to) : [];
}

/** Edits that change nothing that is sent: held until the loop is over (rule 62 a), or under a folded loop (rule 7). */
function standsUnchanged({ held, underRecap }: Window): boolean {
  return held > 0 || underRecap > 0;
}

/** What is said between two replies stays between them; what a provider's block took and an event says again has no place among them (rule 42). */
function everythingStandsInItsPlace({ now, taken, isStartKnown }: Case): void {
  if (standsUnchanged(now) || !isStartKnown || taken.size > 0) return;
  if (now.given.words.some((word) => !now.words.includes(word))) return;
  const sent = placesOf(wordsOf(now.messages.filter((message) => !isKept(message))));
  const kept = new Set(wordsOf(now.messages.filter(isKept)));
  const head = new Set(now.given.headWords);
  for (const [word, place] of placesOf(now.given.words)) {
    if (sent.get(word) === place || (kept.has(word) && !sent.has(word)) || head.has(word)) continue;
    throw new SoakFailure(
      "moved words",
      `${word} stands behind ${place} words of replies in the history, behind ${sent.get(word)} in the request`,
    );
  }
}

/** Rule 25. */
function systemTextIsSaid({ now, traits, models }: Case): void {
  if (now.held > 0) return;
  const appends = traits.systemChanges === "append" && models.positionalSystem;
  // Leading system messages of the host's stand in the head, too (rule 26).
  const own = now.systemWords.filter((word) => word[1] !== "n");
  if (!appends && own.join() !== now.given.systemWords.join())
    throw new SoakFailure("stale system", `the system text says ${own.join(" ")} instead of ${now.given.systemWords.join(" ")}`);
  // Where nothing may be said behind results, it waits for the next user turn (rule 17).
  if (!models.speaksBehindResults && holdsResult(now.messages.at(-1) as Message)) return;
  const said = new Set([...now.systemWords, ...now.words]);
  const missing = now.given.systemWords.filter((word) => !said.has(word));
  if (missing.length > 0) throw new SoakFailure("missing system", `${missing.join(" ")} of the system text is said nowhere`);
}

/** Rules 16 and 18: what a source has to say stands in the window. */
function sourcesAreHeard({ now, sources, models }: Case): void {
  if (sources === undefined || (!models.speaksBehindResults && holdsResult(now.messages.at(-1) as Message))) return;
  const said = new Set([...now.words, ...now.systemWords]);
  const silent = [...sources].find(([, word]) => !said.has(word));
  if (silent !== undefined)
    throw new SoakFailure("source unheard", `${silent[0]} has to say ${silent[1]}, and the request does not (rule 16)`);
}

/** Rule 40: what lands was made of the conversation as it is, not as it was when a job started. */
function summariesAreFresh({ before, now, earlier, told, traits }: Case): void {
  if (!traits.overflow.startsWith("background")) return;
  if (!told.continuity.checkpoints.some(({ reason }) => reason === "compaction") || standsUnchanged(now)) return;
  // A summary that the host stored is a part of its history; one that stands in the history's own line goes on standing under later edits (rule 7).
  const line = earlier.filter(({ given }) => now.given.chain.includes(given.chain.findLast(isReply) ?? ""));
  const summarised = wordsSummarised([...(before?.messages ?? []), ...line.flatMap(({ messages }) => messages), ...now.given.chain]);
  const standing = [...(before === undefined ? [] : [before]), ...line].flatMap(recapIn);
  const known = new Set([...now.given.words, ...now.words, ...summarised, ...wordsOf(standing)]);
  const gone = wordsSummarised(now.messages).filter((word) => word[1] !== "e" && word[1] !== "s" && !known.has(word));
  if (gone.length > 0)
    throw new SoakFailure("stale summary", `a summary landed over ${gone.join(" ")}, which the history no longer says (rule 40)`);
}

/** Rule 30. */
function limitIsKept({ told }: Case): void {
  const { tokens = 0, limits } = told.budget ?? {};
  if (limits !== undefined && tokens > limits.limit) throw new SoakFailure("over the limit", `${tokens} tokens are above ${limits.limit}`);
}

/** Rule 6: the reply of the window that is repeated keeps its reasoning, whatever the host's store did to it. */
function ownReplyKeepsItsReasoning({ before, now, told, traits }: Case): void {
  const reply = before?.fate.reply;
  if (before === undefined || reply === undefined || told.continuity.checkpoints.length > 0) return;
  if (before.fate.restored && traits.settles === "never") return;
  const visible = givenChain([{ role: "assistant", content: reply }]);
  if (visible.every((text) => text === onlyThinks) || !isPrefix([...before.given.chain, ...visible], now.given.chain)) return;
  const sent = now.bytes.join("");
  const lost = reply.filter((block) => isProven(block) && !sent.includes(JSON.stringify(signatureOf(block))));
  if (lost.length > 0)
    throw new SoakFailure(
      "reasoning lost",
      "the reply to the last request went without its reasoning (rule 6)",
      lost.map((block) => JSON.stringify(block)),
    );
}

/** Reasoning that the provider can tell for its own. What is only text comes back where the wire takes it. */
function isProven(block: Block): boolean {
  return signatureOf(block) !== undefined;
}

/** Rule 28: what the provider says that it dropped is not sent again. */
function unreadReasoningStaysAway({ now, unread }: Case): void {
  if (unread.size === 0) return;
  const sent = now.messages.flatMap(signaturesOf).find((signature) => unread.has(signature));
  if (sent !== undefined) throw new SoakFailure("dropped and sent again", `the provider had dropped the reasoning ${sent} (rule 28)`);
}

/** Rule 62. */
function onlyLoopsAreHeld({ now, told, inLoop, models }: Case): void {
  if (now.held === 0) return;
  if (!inLoop || !models.binds) throw new SoakFailure("held outside a loop", "a change was held although no loop is open (rule 62)");
  const broken = told.continuity.checkpoints.find(({ reason, hint }) => heldReasons.includes(reason) && hint !== "dropped-by-provider");
  if (broken !== undefined) throw new SoakFailure("held and broken", `${now.held} changes are held, yet: ${describe(broken)} (rule 62)`);
}

/** Whether the visible part of a reply stands in the history. */
function holdsReply({ given }: Window, content: Window["fate"]["reply"]): boolean {
  const reply = givenChain([{ role: "assistant", content: content ?? [] }]);
  return reply.length > 0 && reply.every((text) => given.chain.includes(text));
}

function isOnlyThought(content: Window["fate"]["reply"]): boolean {
  return givenChain([{ role: "assistant", content: content ?? [] }]).every((text) => text === onlyThinks);
}

const heldReasons: readonly CheckpointReason[] = ["history", "system", "tools"];

/** How many messages the next request has to repeat. Events that only another window's reply stands behind are not answered (rule 19). */
function repeatedTo(before: Window, { now, earlier, traits, isBack }: Case): number {
  const { given, asGiven, messages, fate } = before;
  if (![given.chain, asGiven].some((chain) => repliesTo(chain, now.given.chain))) return before.answeredTo;
  if (isBack && fate.reply === undefined) return before.answeredTo;
  // The reply was told to be another attempt's: that one goes on, in its own form (rule 6).
  const isOthers = earlier.some(
    (other) => other !== before && other.given.chain.join() === given.chain.join() && holdsReply(now, other.fate.reply),
  );
  if (traits.settles !== "never" && isOthers && fate.reply === undefined) return before.answeredTo;
  // A reply of reasoning alone that is not sent answers nothing (architecture, "answered").
  const isUnsent = isOnlyThought(fate.reply) && now.messages[messages.length]?.role !== "assistant";
  if (holdsReply(now, fate.reply)) return isUnsent ? before.answeredTo : messages.length;
  return messages.findLastIndex((message) => message.role !== "system" && !isEvent(message)) + 1;
}

/** Whether a checkpoint is an overflow strategy's. */
export function isLanding({ reason }: Pick<Checkpoint, "reason">): boolean {
  return reason === "compaction" || reason === "elision";
}

function has(told: Told, reason: string): boolean {
  return told.continuity.checkpoints.some((checkpoint) => checkpoint.reason === reason);
}

export function describe(checkpoint: Checkpoint): string {
  const { reason, at, class: kind, path, voids, hint } = checkpoint;
  const reasoning = voids.length === 0 ? "" : `, voids ${voids.map((place) => place.replace("$.messages", "")).join(" ")}`;
  return `checkpoint ${reason} at ${at} (${kind}, ${path}${hint === undefined ? "" : `, ${hint}`})${reasoning}`;
}
