/**
 * What does `withTidemark` add to a call of the AI SDK before the model is asked, beside one `JSON.stringify` of its prompt? With one new turn a call in a conversation that
 * is named, whose history the host rebuilds by `JSON.parse`: no object of a prompt, and no text, is the same as in the call before.
 *
 * `pnpm bench ai-sdk [--texts prose,code,cjk] [--messages 200,2000,10000] [--alternations 41] [--seconds 4]`
 */
import { parseArgs } from "node:util";
import { withTidemark } from "@tidemark/ai-sdk";
import { medians, type Subject } from "./prepare/alternate.ts";
import { type Message, makeHistory, type TextKind, textKinds } from "./prepare/history.ts";
import { tell } from "./report/figure.ts";

/** The bound of `pnpm bench prepare`, in units of one `JSON.stringify`. */
const limit = 0.5;
const messageBytes = 2_000;
/** Short conversations that come before all that is measured: then the code is compiled as it will be in a process that lives. */
const warmUpConversations = { count: 250, messages: 40 };
/** Messages that the model is asked about before anything counts, at least. */
const warmUpMessages = 60_000;
/** How much longer a conversation grows before another one begins, so that it stays near the length that is measured. */
const growth = 0.2;

type Model = ReturnType<typeof withTidemark>;
type CallOptions = Parameters<Model["doGenerate"]>[0];
type Reply = Awaited<ReturnType<Model["doGenerate"]>>;
/** One call of a conversation, and the reply to it. */
type Round = { readonly call: CallOptions; readonly reply: Reply["content"] };

export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      texts: { type: "string", default: textKinds.join(",") },
      messages: { type: "string", default: "200,2000,10000" },
      alternations: { type: "string", default: "41" },
      seconds: { type: "string", default: "4" },
    },
  });
  const [alternations, seconds] = [Number(values.alternations), Number(values.seconds)];
  console.log(`median of at least ${alternations} alternations in ${seconds} s, in units of one JSON.stringify of the prompt\n`);
  let passed = true;
  for (const kind of textKinds.filter((text) => values.texts.split(",").includes(text))) {
    for (const count of values.messages.split(",").map(Number)) {
      const warmUps = Math.max(5, warmUpMessages / count);
      const times = await medians(await subjectsOf(kind, count), { counted: alternations, warmUps, seconds });
      const value = (times.get("named") as number) / (times.get("stringify") as number);
      const holds = tell({ what: `withTidemark, ${count} messages`, value, limit });
      passed &&= holds;
      console.log(`${kind.padEnd(6)} ${String(count).padStart(5)} messages ${value.toFixed(2)} ${holds ? "ok" : `above ${limit}`}`);
    }
  }
  return passed;
}

/** Each round is one turn more of a conversation that has come so far; then comes another one. */
async function subjectsOf(kind: TextKind, count: number): Promise<readonly Subject<Round>[]> {
  const messages = makeHistory(kind, count * (1 + growth) + 2, messageBytes);
  const client = new Client();
  for (let told = 0; told < warmUpConversations.count; told++)
    await converse(client, `short ${told}`, messages, Math.min(count, warmUpConversations.messages));
  const plain = conversations(messages, count, () => undefined);
  const named = conversations(messages, count, (sessionId) => converse(client, sessionId, messages, count));
  return [
    { name: "stringify", ready: plain, run: ({ call }) => JSON.stringify(call.prompt) },
    {
      name: "named",
      ready: async () => {
        await client.hear();
        return named();
      },
      run: (round) => client.ask(round),
    },
  ];
}

/** The calls of one conversation after the other, of a host that keeps its history in a store. */
function conversations(
  messages: readonly Message[],
  count: number,
  begin: (sessionId: string) => Promise<void> | undefined,
): () => Promise<Round> {
  let begun = 0;
  let left = 0;
  let next = (): Round => roundsOf("", messages, count)();
  return async () => {
    if (left === 0) {
      const sessionId = `conversation ${begun++}`;
      await begin(sessionId);
      next = roundsOf(sessionId, messages, count);
      left = Math.floor((count * growth) / 2);
    }
    left -= 1;
    return JSON.parse(JSON.stringify(next()));
  };
}

/** Asks one round at a time. */
class Client {
  #asked: () => void = () => undefined;
  #answer: () => void = () => undefined;
  #call: PromiseLike<unknown> | undefined;
  #reply: Reply["content"] = [];
  readonly #model: Model = withTidemark({
    specificationVersion: "v4",
    provider: "anthropic.messages",
    modelId: "claude-opus-5-5",
    supportedUrls: {},
    doGenerate: () =>
      new Promise((resolve) => {
        this.#answer = () => resolve({ content: this.#reply, finishReason: { unified: "stop", raw: "end_turn" }, usage, warnings: [] });
        this.#asked();
      }),
    doStream: () => Promise.reject(new Error("nothing is streamed here")),
  });

  /** Until the model itself is asked. */
  ask({ call, reply }: Round): Promise<void> {
    this.#reply = reply;
    return new Promise((resolve, reject) => {
      this.#asked = resolve;
      this.#call = this.#model.doGenerate(call).then(undefined, reject);
    });
  }

  /** The model's reply settles the turn. */
  async hear(): Promise<void> {
    this.#answer();
    await this.#call;
  }
}

async function converse(client: Client, sessionId: string, messages: readonly Message[], count: number): Promise<void> {
  const next = roundsOf(sessionId, messages, 0);
  for (let round = next(); round.call.prompt.length <= count; round = next()) {
    await client.ask(round);
    await client.hear();
  }
}

/** The next call of a conversation each time, from this length on. */
function roundsOf(sessionId: string, messages: readonly Message[], count: number): () => Round {
  const prompt = messages.map(messageOf) as unknown as CallOptions["prompt"];
  const providerOptions = { tidemark: { sessionId } };
  let end = count - 1;
  return () => {
    end += 2;
    const call = { prompt: [system, ...prompt.slice(0, end)], providerOptions };
    return { call, reply: (messages[end]?.content ?? []).map(contentOf) as Reply["content"] };
  };
}

const system = { role: "system" as const, content: "You are a careful programmer." };
const usage: Reply["usage"] = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

type Block = Message["content"][number];

function messageOf({ role, content }: Message): object {
  const isResults = content.some(({ type }) => type === "tool_result");
  return { role: isResults ? "tool" : role, content: content.map(partOf) };
}

function partOf(block: Block): object {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "thinking")
    return { type: "reasoning", text: block.thinking, providerOptions: { anthropic: { signature: block.signature } } };
  if (block.type === "tool_use") return { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input };
  const text = typeof block.content === "string" ? block.content : block.content.map((part) => part.text).join("\n");
  return { type: "tool-result", toolCallId: block.tool_use_id, toolName: "edit_file", output: { type: "text", value: text } };
}

/** The same as the model says it: metadata for options, arguments as text. */
function contentOf(block: Block): object {
  const { providerOptions: providerMetadata, input, ...part } = partOf(block) as Record<string, unknown>;
  return {
    ...part,
    ...(providerMetadata !== undefined && { providerMetadata }),
    ...(input !== undefined && { input: JSON.stringify(input) }),
  };
}
