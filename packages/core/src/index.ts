export type { Floor } from "./budget/counter.ts";
export type { BudgetOptions, Limits, MeasureKind } from "./budget/limits.ts";
export type { Measure } from "./budget/measure.ts";
export type { SessionUsage } from "./budget/usage-sum.ts";
export { type ContinuityOptions, checkPrefixContinuity } from "./continuity/check-prefix-continuity.ts";
export type { CacheVerdict, Explanation, TurnAccount } from "./continuity/explain.ts";
export { WireUnknownError } from "./continuity/recognise-wire.ts";
export type { ContinuityReport, ReportedDifference, Verdict } from "./continuity/report.ts";
export { TidemarkError } from "./json/error.ts";
export type { ObjectValue, Value } from "./json/value.ts";
export { ValueError } from "./json/value.ts";
export { type CappedResult, PendingCallsError } from "./ledger/admission.ts";
export type { Checkpoint, CheckpointHint, CheckpointReason } from "./ledger/checkpoint.ts";
export { createLedger, type Ledger, type LedgerDraft } from "./ledger/create-ledger.ts";
export type { Channel, Said } from "./ledger/entry.ts";
export type { MediumFacts, WithheldMedium } from "./ledger/media-left-out.ts";
export { ReplayError, type ReplayedRequest, ReplayLog, type ReplayRecord } from "./ledger/replay-log.ts";
export { SnapshotError } from "./ledger/snapshot.ts";
export { type AnchoredOptions, anchored } from "./overflow/anchored.ts";
export type { AnchoredSection } from "./overflow/anchored-document.ts";
export { background } from "./overflow/background.ts";
export { chain } from "./overflow/chain.ts";
export { type ElideOptions, elide } from "./overflow/elide.ts";
export { FloorError, OverflowError, type OverflowFailure, OverLimitError } from "./overflow/errors.ts";
export type { Group, Member } from "./overflow/groups.ts";
export type { Held, HeldBy } from "./overflow/held.ts";
export { type OnDemandCompactionOptions, onDemandCompaction } from "./overflow/on-demand-compaction.ts";
export { reset } from "./overflow/reset.ts";
export { type ServerOptions, server } from "./overflow/server.ts";
export type { Change, Outcome, OverflowInput, OverflowMeasure, OverflowStrategy, Urgency } from "./overflow/strategy.ts";
export { type SummarizeOptions, summarize } from "./overflow/summarize.ts";
export { boundary, type Condition, cold, tokensAbove, when } from "./overflow/when.ts";
export { LandingError } from "./session/ask-landing.ts";
export { createSession, restoreSession, type Session } from "./session/create-session.ts";
export { AmbiguousSettleError, InvariantError, NothingToSettleError, SessionWaitsError } from "./session/errors.ts";
export type { SessionIdentity } from "./session/identity.ts";
export type { HostLanding, Landing } from "./session/landing.ts";
export type { OverflowReport, SessionEvents } from "./session/listeners.ts";
export { openSession, type StoredSessionOptions } from "./session/open-session.ts";
export type { OverflowOptions, SessionOptions } from "./session/options.ts";
export type { PinView } from "./session/pins.ts";
export type { PrepareOptions } from "./session/prepare-options.ts";
export { presets } from "./session/presets.ts";
export { replay } from "./session/replay.ts";
export type { Snapshot } from "./session/snapshot.ts";
export { inMemorySessionStore, SessionConflictError, type SessionKey, type SessionStore, type StoredSession } from "./session/store.ts";
export { type ThroughOptions, through } from "./session/through.ts";
export type { SessionTools } from "./session/tools.ts";
export type { Repairs, Settled, Turn, TurnBudget } from "./session/turn.ts";
export type { StoredDifference } from "./session/verify.ts";
export { announcement } from "./sources/announcement.ts";
export { type Archive, ArchiveError, type ArchiveRecord, type ArchiveStore, archiveReference } from "./sources/archive.ts";
export { type ClockOptions, clock } from "./sources/clock.ts";
export { type Guardrail, guardrail } from "./sources/guardrail.ts";
export { type HandoffOptions, handoff } from "./sources/handoff.ts";
export type { Heard } from "./sources/heard.ts";
export { inMemoryArchive } from "./sources/in-memory-archive.ts";
export { inMemoryMedia, type MediaStore } from "./sources/media-store.ts";
export { type MemoryOptions, memory } from "./sources/memory.ts";
export { inMemoryStore, type MemoryEntry, type MemoryStore } from "./sources/memory-store.ts";
export type { MemoryToolOptions, MemoryWrite } from "./sources/memory-tool.ts";
export { newContext } from "./sources/new-context.ts";
export type { OwnTool, ToolContext, ToolOutcome } from "./sources/own-tool.ts";
export { recallable } from "./sources/recall.ts";
export { type RetrievedDocument, retrieval } from "./sources/retrieval.ts";
export { type Skill, skill } from "./sources/skill.ts";
export {
  type Asked,
  type Room,
  type Setting,
  type Source,
  type SourceKind,
  SourceUnknownError,
  SourceValueError,
  type Utterance,
} from "./sources/source.ts";
export type { StandardSchema } from "./sources/standard-schema.ts";
export { type StateOptions, state } from "./sources/state.ts";
export type { Difference, DifferenceClass, DifferenceStrength } from "./wire/difference.ts";
export { InvalidReplyError, InvalidRequestError, OptionError } from "./wire/errors.ts";
export type { ImageFormula } from "./wire/image-tokens.ts";
export type { Prices, Profile } from "./wire/profile.ts";
export type { ReplayEnvelope } from "./wire/reply-envelope.ts";
export { estimateRequest, type RequestTokens } from "./wire/request-tokens.ts";
export { type Breach, firstBreach, type Grade, type RuleContext, ShapeError, type ShapeRule } from "./wire/rule.ts";
export type { Summarizer, Summary, SummaryInput } from "./wire/summarizer.ts";
export { type TextQuestion, textSummarizer } from "./wire/text-summarizer.ts";
export { estimateText } from "./wire/tokens.ts";
export { translateHistory } from "./wire/translate.ts";
export type { Usage } from "./wire/usage.ts";
export type { Wire } from "./wire/wire.ts";
