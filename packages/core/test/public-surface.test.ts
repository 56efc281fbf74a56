import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as anthropic from "../src/adapters/anthropic/index.ts";
import * as bedrock from "../src/adapters/bedrock/index.ts";
import * as gemini from "../src/adapters/gemini/index.ts";
import * as ollama from "../src/adapters/ollama/index.ts";
import * as openaiChat from "../src/adapters/openai-chat/index.ts";
import * as openaiResponses from "../src/adapters/openai-responses/index.ts";
import * as fetching from "../src/fetch/index.ts";
import * as core from "../src/index.ts";

// The front door is a list: a name that is added here or goes is a change that users see, and needs a changeset.

test("the package has a front door, one for each wire, one below SDKs, and one each for an exact counter and for prices", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly exports: object };
  expect(Object.keys(manifest.exports)).toEqual([
    ".",
    "./anthropic",
    "./gemini",
    "./bedrock",
    "./ollama",
    "./openai-chat",
    "./openai-responses",
    "./fetch",
    "./adapter",
    "./tiktoken",
    "./genai-prices",
  ]);
});

test("@tidemark/core/fetch exports these names", () => {
  expect(namesOf(fetching, "fetch/index.ts")).toMatchInlineSnapshot(`
    "Conversations
    anthropicMiddleware
    contextFetch
    type AnthropicMiddleware
    type AnthropicMiddlewareOptions
    type Asked
    type ContextFetchOptions
    type ContextOptions
    type ContextWarning
    type Fetch
    type HttpRequest
    type Prepared
    type SentRequest
    type SessionDefaults"
  `);
});

test("@tidemark/core exports these names", () => {
  expect(namesOf(core, "index.ts")).toMatchInlineSnapshot(`
    "AmbiguousSettleError
    ArchiveError
    FloorError
    InvalidReplyError
    InvalidRequestError
    InvariantError
    LandingError
    NothingToSettleError
    OptionError
    OverLimitError
    OverflowError
    PendingCallsError
    ReplayError
    ReplayLog
    SessionConflictError
    SessionWaitsError
    ShapeError
    SnapshotError
    SourceUnknownError
    SourceValueError
    TidemarkError
    ValueError
    WireUnknownError
    anchored
    announcement
    archiveReference
    background
    boundary
    chain
    checkPrefixContinuity
    clock
    cold
    createLedger
    createSession
    elide
    estimateRequest
    estimateText
    firstBreach
    guardrail
    handoff
    inMemoryArchive
    inMemoryMedia
    inMemorySessionStore
    inMemoryStore
    memory
    newContext
    onDemandCompaction
    openSession
    presets
    recallable
    replay
    reset
    restoreSession
    retrieval
    server
    skill
    state
    summarize
    textSummarizer
    through
    tokensAbove
    translateHistory
    when
    type AnchoredOptions
    type AnchoredSection
    type Archive
    type ArchiveRecord
    type ArchiveStore
    type Asked
    type Breach
    type BudgetOptions
    type CacheVerdict
    type CappedResult
    type Change
    type Channel
    type Checkpoint
    type CheckpointHint
    type CheckpointReason
    type ClockOptions
    type Condition
    type ContinuityOptions
    type ContinuityReport
    type Difference
    type DifferenceClass
    type DifferenceStrength
    type ElideOptions
    type Explanation
    type Floor
    type Grade
    type Group
    type Guardrail
    type HandoffOptions
    type Heard
    type Held
    type HeldBy
    type HostLanding
    type ImageFormula
    type Landing
    type Ledger
    type LedgerDraft
    type Limits
    type Measure
    type MeasureKind
    type MediaStore
    type MediumFacts
    type Member
    type MemoryEntry
    type MemoryOptions
    type MemoryStore
    type MemoryToolOptions
    type MemoryWrite
    type ObjectValue
    type OnDemandCompactionOptions
    type Outcome
    type OverflowFailure
    type OverflowInput
    type OverflowMeasure
    type OverflowOptions
    type OverflowReport
    type OverflowStrategy
    type OwnTool
    type PinView
    type PrepareOptions
    type Prices
    type Profile
    type Repairs
    type ReplayEnvelope
    type ReplayRecord
    type ReplayedRequest
    type ReportedDifference
    type RequestTokens
    type RetrievedDocument
    type Room
    type RuleContext
    type Said
    type ServerOptions
    type Session
    type SessionEvents
    type SessionIdentity
    type SessionKey
    type SessionOptions
    type SessionStore
    type SessionTools
    type SessionUsage
    type Setting
    type Settled
    type ShapeRule
    type Skill
    type Snapshot
    type Source
    type SourceKind
    type StandardSchema
    type StateOptions
    type StoredDifference
    type StoredSession
    type StoredSessionOptions
    type SummarizeOptions
    type Summarizer
    type Summary
    type SummaryInput
    type TextQuestion
    type ThroughOptions
    type ToolContext
    type ToolOutcome
    type Turn
    type TurnAccount
    type TurnBudget
    type Urgency
    type Usage
    type Utterance
    type Value
    type Verdict
    type Wire
    type WithheldMedium"
  `);
});

test("@tidemark/core/anthropic exports these names", () => {
  expect(namesOf(anthropic, "adapters/anthropic/index.ts")).toMatchInlineSnapshot(`
    "anthropic
    anthropicSummarizer
    type AnthropicOptions
    type AnthropicRequest
    type MessagesClient"
  `);
});

test("@tidemark/core/gemini exports these names", () => {
  expect(namesOf(gemini, "adapters/gemini/index.ts")).toMatchInlineSnapshot(`
    "gemini
    geminiInteractions
    geminiSummarizer
    type GeminiClient
    type GeminiOptions
    type GeminiRequest
    type InteractionsRequest"
  `);
});

test("@tidemark/core/bedrock exports these names", () => {
  expect(namesOf(bedrock, "adapters/bedrock/index.ts")).toMatchInlineSnapshot(`
    "bedrock
    bedrockSummarizer
    type BedrockOptions
    type BedrockRequest
    type Converse"
  `);
});

test("@tidemark/core/ollama exports these names", () => {
  expect(namesOf(ollama, "adapters/ollama/index.ts")).toMatchInlineSnapshot(`
    "ollama
    ollamaSummarizer
    type OllamaClient
    type OllamaOptions
    type OllamaRequest"
  `);
});

test("@tidemark/core/openai-chat exports these names", () => {
  expect(namesOf(openaiChat, "adapters/openai-chat/index.ts")).toMatchInlineSnapshot(`
    "openaiChat
    openaiChatSummarizer
    type ChatClient
    type ChatRequest
    type DialectName
    type OpenAIChatOptions"
  `);
});

test("@tidemark/core/openai-responses exports these names", () => {
  expect(namesOf(openaiResponses, "adapters/openai-responses/index.ts")).toMatchInlineSnapshot(`
    "openaiResponses
    openaiResponsesSummarizer
    type OpenAIResponsesOptions
    type ResponsesClient
    type ResponsesRequest
    type RouteName"
  `);
});

/** Values as the module has them, and types as its list of exports names them. */
function namesOf(door: object, file: string): string {
  const source = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
  const listed = [...source.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, isType, names = ""]) =>
    names.split(",").map((name) => `${isType ?? ""}${name.trim()}`),
  );
  const types = listed.filter((name) => name.startsWith("type ")).sort();
  return [...Object.keys(door).sort(), ...types].join("\n");
}
