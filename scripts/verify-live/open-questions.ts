import { type Answer, type Experiment, errorText, memberOf, succeeded } from "./experiment.ts";

// The questions of facts 13 and the contradictions of facts 12 that a request can answer. What the models generate is of no interest: it is kept short.

/** Long enough for every documented minimum of a cache: about 5,500 tokens. */
const book = (nonce: string): string =>
  `Edition ${nonce}. ${"The harbour office notes each ship, its berth, its cargo and the tide. ".repeat(380)}`;
/** Of no earlier run: what is asked is whether *this* run's first request is read. Fixed within a run. */
const edition = (): string => String(Date.now());

const geminiModel = "gemini-3.8-flash";
const short = { maxOutputTokens: 16 };
const tool = (name: string) => ({ functionDeclarations: [{ name, description: `Calls ${name}.` }] });

function cached(answer: Answer | undefined): number | undefined {
  const count = memberOf(answer?.body, "usageMetadata", "cachedContentTokenCount");
  return typeof count === "number" ? count : undefined;
}

type Body = Readonly<Record<string, unknown>>;

/** Two requests: how much of the second is read from the cache that the first wrote, beside a third that repeats the first. */
function cacheQuestion(
  id: string,
  asks: string,
  decides: string,
  make: (nonce: string) => readonly [Body, Body],
  reads: string,
  misses: string,
): Experiment {
  const nonce = edition();
  const [first, changed] = make(`${id} ${nonce}`);
  const request = (body: Body) => () => ({ model: geminiModel, generationConfig: short, ...body });
  return {
    id,
    provider: "gemini",
    asks,
    decides,
    steps: [
      { title: "first", request: request(first) },
      { title: "repeated", request: request(first) },
      { title: "changed", request: request(changed) },
    ],
    judge: ([one, again, other]) => {
      if (![one, again, other].every(succeeded))
        return `UNCLEAR: statuses ${[one, again, other].map((answer) => answer?.status).join(", ")}`;
      const figures = `read ${cached(again) ?? "nothing"} when repeated, ${cached(other) ?? "nothing"} when changed`;
      if (cached(again) === undefined) return `UNCLEAR: the repeated request was not read either (${figures}). Try again.`;
      return `${(cached(other) ?? 0) > 0 ? reads : misses} (${figures})`;
    },
  };
}

const user = (...parts: readonly object[]) => ({ role: "user", parts });

const gemini: readonly Experiment[] = [
  cacheQuestion(
    "gemini serialised order",
    "Does the prefix begin with the system text or with the tools?",
    "facts 13 and 8.1; places.order of the gemini wire",
    (nonce) => [
      { systemInstruction: { parts: [{ text: book(nonce) }] }, tools: [tool("read")], contents: [user({ text: "Which berth?" })] },
      { systemInstruction: { parts: [{ text: book(nonce) }] }, tools: [tool("write")], contents: [user({ text: "Which berth?" })] },
    ],
    "System text first: it was read although the tools changed.",
    "Tools first, or both together: nothing was read once the tools changed.",
  ),
  cacheQuestion(
    "gemini contents cut otherwise",
    "Are two contents of one role the same prefix as one content of both?",
    "facts 8.3, row of merged messages; mergesTurns of the gemini wire",
    (nonce) => [
      { contents: [user({ text: book(nonce) }, { text: "Which berth?" })] },
      { contents: [user({ text: book(nonce) }), user({ text: "Which berth?" })] },
    ],
    "The same prefix up to the cut at least.",
    "Another prefix.",
  ),
  cacheQuestion(
    "gemini thinkingConfig",
    "Is another thinking level another prefix?",
    "facts 8.3, row of thinking config; params.ts of the gemini wire",
    (nonce) => {
      const body = { contents: [user({ text: book(nonce) })] };
      return [
        { ...body, generationConfig: { ...short, thinkingConfig: { thinkingLevel: "low" } } },
        { ...body, generationConfig: { ...short, thinkingConfig: { thinkingLevel: "medium" } } },
      ];
    },
    "No: take the row out of params.ts.",
    "Yes: the row stays.",
  ),
  {
    id: "gemini cached count on a miss",
    provider: "gemini",
    asks: "Is a cached count of 0 reported, or left out?",
    decides: "facts 8.2: whether an absent count may be read as 0 (usage.ts)",
    steps: [
      {
        title: "cold",
        request: () => ({ model: geminiModel, generationConfig: short, contents: [user({ text: `Hello of ${edition()}.` })] }),
      },
    ],
    judge: ([answer]) =>
      succeeded(answer)
        ? `It is ${cached(answer) === undefined ? "left out: absent and 0 cannot be told apart" : `reported (${cached(answer)})`}.`
        : "UNCLEAR",
  },
  {
    id: "gemini call behind words",
    provider: "gemini",
    asks: "May a content with a call stand behind a content of the model's words?",
    decides: "facts 3.3, GE-04: whether turns are counted, as a recording has it, or contents",
    steps: [
      {
        title: "words and a call",
        request: () => ({
          model: geminiModel,
          generationConfig: short,
          tools: [tool("read")],
          contents: [
            user({ text: "Read a." }),
            { role: "model", parts: [{ text: "I read it." }] },
            { role: "model", parts: [{ functionCall: { name: "read", args: {} }, thoughtSignature: "skip_thought_signature_validator" }] },
            user({ functionResponse: { name: "read", response: { output: "a" } } }),
          ],
        }),
      },
    ],
    judge: accepted,
  },
  {
    id: "gemini stand-in before 3",
    provider: "gemini",
    asks: "Does a model before Gemini 3 take the documented stand-in for a signature?",
    decides: "models.ts: whether models that are not known may be sent stand-ins",
    steps: [
      {
        title: "stand-in",
        request: () => ({
          model: "gemini-2.5-flash-lite",
          generationConfig: short,
          tools: [tool("read")],
          contents: [
            user({ text: "Read a." }),
            { role: "model", parts: [{ functionCall: { name: "read", args: {} }, thoughtSignature: "skip_thought_signature_validator" }] },
            user({ functionResponse: { name: "read", response: { output: "a" } } }),
          ],
        }),
      },
    ],
    judge: ([answer]) => (succeeded(answer) ? "It does." : `It does not: ${answer === undefined ? "no answer" : errorText(answer)}`),
  },
];

/** One pixel, as PNG. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const levels = ["low", "medium", "high"] as const;

const pictures: Experiment = {
  id: "gemini picture tokens",
  provider: "gemini",
  asks: "What does a picture count at each media resolution?",
  decides: "facts 3.6; image-formulas.ts of the gemini wire",
  steps: levels.map((level) => ({
    title: level,
    request: () => ({
      model: geminiModel,
      generationConfig: { ...short, mediaResolution: `MEDIA_RESOLUTION_${level.toUpperCase()}` },
      contents: [user({ inlineData: { mimeType: "image/png", data: pixel } }, { text: "Colour?" })],
    }),
  })),
  judge: (answers) => answers.map((answer, at) => `${levels[at]}: ${pictureTokens(answer) ?? `status ${answer.status}`}`).join(", "),
};

function pictureTokens({ body }: Answer): unknown {
  const details = memberOf(body, "usageMetadata", "promptTokensDetails");
  return Array.isArray(details) ? details.find((detail) => memberOf(detail, "modality") === "IMAGE")?.tokenCount : undefined;
}

/** The wording of a refusal that is sure. */
function wording(id: string, decides: string, input: readonly object[], more: object = {}): Experiment {
  return {
    id,
    provider: "responses",
    asks: "Is it refused, and in which words?",
    decides,
    steps: [{ title: "forbidden", request: () => ({ model: "gpt-6.2-sol", store: false, max_output_tokens: 16, input, ...more }) }],
    judge: ([answer]) =>
      answer === undefined ? "not answered" : succeeded(answer) ? "It is accepted." : `status ${answer.status}: ${errorText(answer)}`,
  };
}

const said = { role: "user", content: "Which berth?" };
const effort = (level: string) => ({ type: "configuration_update", reasoning: { effort: level } });

/** What is added to the first message of a second request must not count, if the provider compares what it renders. */
function prefixBasis(id: string, asks: string, added: object): Experiment {
  const request = (input: readonly unknown[]) => ({
    model: "gpt-6.2-sol",
    store: false,
    max_output_tokens: 512,
    reasoning: { effort: "low", context: "all_turns" },
    include: ["reasoning.encrypted_content"],
    input,
  });
  const part = { type: "input_text", text: "How many ships fit into twelve berths of three ships each?" };
  const first = { type: "message", role: "user", content: [part] };
  const changed = { ...first, ...("id" in added ? added : { content: [{ ...part, ...added }] }) };
  return {
    id,
    provider: "responses",
    asks,
    decides: "facts 13: what the prefix check of GPT-6.2 compares",
    steps: [
      {
        title: "first",
        request: () => request([first]),
        standIn: { output: [{ type: "reasoning", id: "rs_a", summary: [], encrypted_content: "…" }] },
      },
      {
        title: "changed",
        request: ([answer]) =>
          request([
            changed,
            ...((memberOf(answer?.body, "output") ?? []) as readonly unknown[]),
            { role: "user", content: "And into ten?" },
          ]),
      },
    ],
    judge: ([one, two]) => {
      if (!succeeded(one) || !succeeded(two))
        return `UNCLEAR: ${[one, two]
          .map((answer) => answer && !succeeded(answer) && errorText(answer))
          .filter(Boolean)
          .join("; ")}`;
      const dropped = memberOf(two?.body, "input_transformations");
      return Array.isArray(dropped) && dropped.length > 0
        ? "It counts: reasoning was dropped."
        : "It does not count: no reasoning was dropped.";
    },
  };
}

const responses: readonly Experiment[] = [
  prefixBasis("responses prefix: an id", "Does an id that is added to an earlier message count as a change?", {
    id: "msg_0123456789abcdef",
  }),
  prefixBasis("responses prefix: a breakpoint", "Does a cache breakpoint that is added to an earlier part count as a change?", {
    prompt_cache_breakpoint: { mode: "explicit" },
  }),
  wording("responses OR-23", "facts 13, OR-23: two configuration updates in a row", [said, effort("low"), effort("high")]),
  wording("responses OR-17", "facts 13, OR-17: additional tools that are not the developer's", [
    said,
    { type: "additional_tools", role: "user", tools: [] },
  ]),
  wording("responses OR-16", "facts 13, OR-16: a compaction trigger that is not last", [{ type: "compaction_trigger" }, said]),
  wording("responses OR-06", "facts 12, 12: an output without its call", [
    said,
    { type: "function_call_output", call_id: "call_a", output: "a" },
  ]),
  wording("responses OR-05", "facts 12, 13: a call without its output", [
    { type: "function_call", call_id: "call_a", name: "read", arguments: "{}" },
    said,
  ]),
];

const chats: readonly Experiment[] = [
  {
    id: "deepseek absent reasoning",
    provider: "deepseek",
    asks: "Is a reply with calls refused when its reasoning is absent?",
    decides: "facts 12, 16: emptyReasoning of the deepseek dialect",
    steps: [{ title: "absent", request: () => chatOf("deepseek-v4-flash", { content: null }, { thinking: { type: "enabled" } }) }],
    judge: accepted,
  },
  {
    id: "deepseek empty content",
    provider: "deepseek",
    asks: "Is a reply with calls refused when its content is an empty string?",
    decides: "facts 12, 17: content of replies with calls in the deepseek dialect",
    steps: [{ title: "empty", request: () => chatOf("deepseek-v4-flash", { content: "", reasoning_content: "" }) }],
    judge: accepted,
  },
  {
    id: "groq reasoning in input",
    provider: "groq",
    asks: "Is the field `reasoning` of an assistant message refused?",
    decides: "facts 12, 21: the reasoning field of the groq dialect",
    steps: [{ title: "reasoning", request: () => chatOf("openai/gpt-oss-20b", { content: null, reasoning: "Hm." }) }],
    judge: accepted,
  },
];

function chatOf(model: string, reply: object, more: object = {}): object {
  const tool_calls = [{ id: "call_a", type: "function", function: { name: "read", arguments: "{}" } }];
  const messages = [
    { role: "user", content: "Read a." },
    { role: "assistant", ...reply, tool_calls },
    { role: "tool", tool_call_id: "call_a", content: "a" },
  ];
  return {
    model,
    max_tokens: 16,
    messages,
    tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }],
    ...more,
  };
}

function accepted([answer]: readonly Answer[]): string {
  if (answer === undefined) return "not answered";
  return succeeded(answer) ? "It is accepted." : `It is refused, status ${answer.status}: ${errorText(answer)}`;
}

export const openQuestions: readonly Experiment[] = [...gemini, pictures, ...responses, ...chats];
