import Anthropic from "@anthropic-ai/sdk";
import type { Toolbox } from "./toolbox.ts";

export type Request = Anthropic.MessageCreateParamsNonStreaming;

/** How the assistant reaches its model: straight, or through Tidemark (`connections.ts`). It is the only thing that differs between the two runs. */
export type Ask = (request: Request) => Promise<Anthropic.Message>;

/** The registrar's assistant: an agent loop as many are written. It owns its messages and its tools, and does not know about Tidemark. */
export class Assistant {
  readonly #ask: Ask;
  readonly #toolbox: Toolbox;
  readonly #now: () => Date;
  readonly #model: string;
  #messages: Anthropic.MessageParam[] = [];

  constructor(parts: { readonly ask: Ask; readonly toolbox: Toolbox; readonly now: () => Date; readonly model: string }) {
    this.#ask = parts.ask;
    this.#toolbox = parts.toolbox;
    this.#now = parts.now;
    this.#model = parts.model;
  }

  /** Answers a question: thinks and calls tools until it has an answer. */
  async answer(question: Anthropic.MessageParam["content"]): Promise<Anthropic.Message> {
    const system = instructions(this.#now());
    this.#messages.push({ role: "user", content: question });
    for (;;) {
      const reply = await this.#reply(system);
      this.#messages.push({ role: "assistant", content: reply.content });
      if (reply.stop_reason !== "tool_use") return reply;
      const calls = reply.content.filter((block) => block.type === "tool_use");
      this.#messages.push({ role: "user", content: calls.map((call) => this.#toolbox.run(call)) });
    }
  }

  /** The user corrects a question that was asked earlier; what followed stays. */
  correct(question: string, by: string): void {
    const at = this.#messages.findIndex((message) => message.content === question);
    if (at < 0) throw new Error(`Nobody asked: ${question}`);
    this.#messages[at] = { role: "user", content: by };
  }

  /** The process ends, and another goes on with what the store gives back. */
  restart(store: (messages: Anthropic.MessageParam[]) => Anthropic.MessageParam[]): void {
    this.#messages = store(this.#messages);
  }

  async #reply(system: string): Promise<Anthropic.Message> {
    try {
      return await this.#ask(this.#request(system));
    } catch (error) {
      if (!isRefusedThinking(error)) throw error;
      // What hosts do when a signature is refused: give up the thinking of the whole conversation, and the cache with it.
      this.#messages = withoutThinking(this.#messages);
      return await this.#ask(this.#request(system));
    }
  }

  #request(system: string): Request {
    return {
      model: this.#model,
      max_tokens: 8_192,
      thinking: { type: "adaptive" },
      cache_control: { type: "ephemeral" },
      system,
      tools: this.#toolbox.list(),
      messages: this.#messages,
    };
  }
}

function instructions(now: Date): string {
  return `You are the assistant of the registrar of the Lantern Museum, which collects instruments of time and navigation.
It is ${now.toISOString().slice(11, 16)} on ${now.toISOString().slice(0, 10)}.
Look things up before you answer; never guess an inventory number, a measure or a date.
An object whose condition is not stable does not travel. Say so, and say what would have to be done first.
Relative humidity in a showcase stays between 45 and 55 per cent; light on textiles and prints stays under 50 lux.
A loan needs eight weeks, a crate and a courier. The lender signs; you only draft.
Name every object by its inventory number and its maker. Give measures in centimetres and weights in kilograms.
Ask back when a question could mean two objects.
Keep answers short: the registrar reads them standing.`;
}

function withoutThinking(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  return messages.map((message): Anthropic.MessageParam => {
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    return { ...message, content: message.content.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking") };
  });
}

function isRefusedThinking(error: unknown): boolean {
  return error instanceof Anthropic.BadRequestError && error.message.includes("`thinking` block");
}
