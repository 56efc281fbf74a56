import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { createSession, type Session, type SessionOptions, type Turn } from "@tidemark/core";
import { wrapLanguageModel } from "ai";
import { type Block, blocksOf, type Message } from "../../testing/soak/history.ts";
import type { Provider } from "../../testing/soak/provider.ts";
import type { SoakRequest } from "../../testing/soak/request.ts";
import type { Compact } from "../../testing/soak/strategies.ts";
import type { Handed, Told, WayIn } from "../../testing/soak/way-in.ts";
import type { ScriptedReply } from "../../testing/src/simulator/script.ts";
import { aiSdkWire, sender, tidemarkMiddleware } from "../src/index.ts";

/** A request that has left, and waits for its answer. */
type Leaving = { readonly body: object; readonly headers: Headers; readonly answer: (response: Response) => void };
type Parts = readonly Readonly<Record<string, unknown>>[];

/** The host speaks the AI SDK: its prompt goes through Tidemark's middleware, and Anthropic's package writes the body that is judged. */
export class ThroughAiSdk implements WayIn {
  session: undefined;
  readonly #options: SessionOptions;
  readonly #provider: Provider;
  #middleware: ReturnType<typeof tidemarkMiddleware>;
  #turn: Turn | undefined;
  /** The prompt before. */
  #before: Window = [];
  #left: (leaving: Leaving) => void = () => {};

  constructor(options: SessionOptions, provider: Provider) {
    this.#options = { ...options, wire: aiSdkWire() as never, headers: true };
    this.#provider = provider;
    this.#middleware = this.#opened();
  }

  async hand(request: object, signal?: AbortSignal): Promise<Handed> {
    const { model, ...asked } = request as SoakRequest;
    const wrapped = wrapLanguageModel({ model: this.#models(model), middleware: this.#middleware });
    const left = new Promise<Leaving>((resolve) => {
      this.#left = resolve;
    });
    const generated = wrapped.doGenerate({ ...callOf(asked), ...(signal && { abortSignal: signal }) });
    const { body, headers, answer } = await Promise.race([left, generated.then(() => Promise.reject(new Error("nothing was sent")))]);
    const turn = this.#turn as Turn;
    const told = toldOfBody(turn, this.#before);
    this.#before = promptOf(turn);
    return {
      request: body,
      told,
      send: async (scripted: ScriptedReply) => {
        const answered = await this.#provider.answer(body, Object.fromEntries(headers), scripted);
        answer(Response.json(answered.reply, { status: answered.status }));
        // What the provider refuses is judged by its own record.
        await Promise.resolve(generated).catch(() => undefined);
        return answered;
      },
      settle: () => undefined,
    };
  }

  async forget(): Promise<void> {
    this.#before = [];
    this.#middleware = this.#opened();
  }

  #models(id: string) {
    const send: typeof fetch = async (_url, init) =>
      new Promise<Response>((answer) => {
        this.#left({ body: JSON.parse(String(init?.body)), headers: new Headers(init?.headers), answer });
      });
    return createAnthropic({ apiKey: "x", fetch: send })(id);
  }

  #opened() {
    return tidemarkMiddleware({
      sessions: () => {
        const session: Session = createSession(this.#options);
        const prepare: Session["prepare"] = async (request, options) => {
          const turn = await session.prepare(request, options);
          this.#turn = turn;
          return turn;
        };
        return Object.create(session, { prepare: { value: prepare } }) as Session;
      },
    });
  }
}

/** The provider's own compaction, asked for as the package's users do: through `sender`. */
export function compactingThroughAiSdk(provider: Provider): Compact {
  const asks: typeof fetch = async (_url, init) =>
    Response.json(await provider.compacts(JSON.parse(String(init?.body)), Object.fromEntries(new Headers(init?.headers))));
  return async (request, { headers }) => {
    const [, id = ""] = String((request as { readonly model: string }).model).split("/");
    const send = sender(createAnthropic({ apiKey: "x", fetch: asks })(id));
    return send(request, { headers, signal: new AbortController().signal });
  };
}

type Window = readonly { readonly role: string }[];

/** Checkpoints name a message of the prompt; the package joins results with the words behind them, and replies in a row: as they stood before, or as they stand now. */
function toldOfBody(turn: Turn, before: Window): Told {
  const prompt = promptOf(turn);
  const lead = prompt.findIndex(({ role }) => role !== "system");
  const { continuity, repairs, said } = turn;
  const checkpoints = continuity.checkpoints.map((checkpoint) => {
    const places = [before, prompt].map((window) => placeIn(window.slice(lead), Math.max(checkpoint.at - lead, 0)));
    return { ...checkpoint, at: Math.min(...places) };
  });
  return { continuity: { ...continuity, checkpoints }, repairs, said };
}

function promptOf({ request }: Turn): Window {
  return (request as { readonly prompt: Window }).prompt;
}

/** Where a message of the prompt stands in the body. */
function placeIn(window: Window, at: number): number {
  const side = (role: string | undefined): string => (role === "assistant" ? "assistant" : "user");
  // Behind the end stands what would come next.
  const behind = Math.max(at - Math.max(window.length - 1, 0), 0);
  return window.slice(1, at + 1).filter(({ role }, index) => side(role) !== side(window[index]?.role)).length + behind;
}

/** The soak's own form as the AI SDK would hand it to a model. */
function callOf({ system, tools, messages, max_tokens, output_config }: Omit<SoakRequest, "model">): LanguageModelV4CallOptions {
  const lead = (typeof system === "string" ? [system] : system.map((block) => String((block as Block).text))).map((content) => ({
    role: "system" as const,
    content,
  }));
  const anthropic = { thinking: { type: "adaptive" }, ...output_config };
  return {
    prompt: [...lead, ...messages.flatMap((message, at) => messagesOf(message, messages.slice(0, at)))],
    tools: tools.map(({ name, description, input_schema }) => ({ type: "function", name, description, inputSchema: input_schema })),
    toolChoice: { type: "auto" },
    maxOutputTokens: max_tokens,
    providerOptions: { anthropic, tidemark: { sessionId: "soak" } },
  } as LanguageModelV4CallOptions;
}

function messagesOf(message: Message, before: readonly Message[]): readonly LanguageModelV4Message[] {
  const blocks = blocksOf(message);
  if (message.role === "system") return blocks.map((block) => ({ role: "system", content: String(block.text) }));
  if (message.role === "assistant") return [{ role: "assistant", content: blocks.map(assistantPart) } as unknown as LanguageModelV4Message];
  const said: { role: "user" | "tool"; content: Parts }[] = [];
  for (const block of blocks) {
    const role = block.type === "tool_result" ? "tool" : "user";
    const part = role === "tool" ? resultPart(block, before) : userPart(block);
    const last = said.at(-1);
    if (last?.role === role) last.content = [...last.content, part];
    else said.push({ role, content: [part] });
  }
  return said as unknown as readonly LanguageModelV4Message[];
}

function assistantPart(block: Block): Parts[number] {
  const anthropic = (options: object) => ({ providerOptions: { anthropic: options } });
  if (block.type === "thinking") return { type: "reasoning", text: block.thinking, ...anthropic({ signature: block.signature }) };
  if (block.type === "redacted_thinking") return { type: "reasoning", text: "", ...anthropic({ redactedData: block.data }) };
  if (block.type === "tool_use")
    return { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input, ...marked(block) };
  // A host that stores the window has the provider's own compaction in it.
  if (block.type === "compaction") {
    const { content, cache_control: _mark, ...rest } = block;
    return { type: "text", text: content, ...anthropic(rest) };
  }
  return { type: "text", text: block.text, ...marked(block) };
}

function resultPart(block: Block, before: readonly Message[]): Parts[number] {
  const { tool_use_id: id, content, is_error } = block;
  const call = before.flatMap(blocksOf).findLast((other) => other.type === "tool_use" && other.id === id);
  const texts = typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as Block[]).map(userPart);
  const isText = texts.every(({ type }) => type === "text");
  const value = texts.map((part) => String((part as Block).text)).join("\n");
  const output = isText ? { type: is_error === true ? "error-text" : "text", value } : { type: "content", value: texts };
  return { type: "tool-result", toolCallId: id, toolName: call?.name ?? "read", output, ...marked(block) };
}

function userPart(block: Block): Parts[number] {
  if (block.type !== "image") return { type: "text", text: block.text, ...marked(block) };
  const { media_type, data } = block.source as { media_type: string; data: string };
  return { type: "file", mediaType: media_type, data: { type: "data", data }, ...marked(block) };
}

function marked({ cache_control }: Block): object {
  return cache_control === undefined || cache_control === null ? {} : { providerOptions: { anthropic: { cacheControl: cache_control } } };
}
