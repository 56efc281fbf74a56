import { newContext } from "@tidemark/core";
import type { Chance } from "../src/simulator/chance.ts";
import { describeAll } from "./describe.ts";
import { type Block, blocksOf, type Message, openCalls, type Tool } from "./history.ts";
import type { Side } from "./sides/side.ts";
import { sideNamed } from "./sides/table.ts";
import { asksByTool, isWide } from "./strategies.ts";
import type { Traits } from "./traits.ts";
import type { Transcript } from "./transcript.ts";
import { wordMaker } from "./words.ts";

/** Of a host whose content is mixed: how often it is anything but a word. */
const mixedShare = 0.08;
const longText = "\nthis line is one of many".repeat(40);
const proseWords = "copper linen quarry harbour meadow kettle winter garnet compass willow pebble marble lantern barley thistle".split(" ");
const longRules = Array.from({ length: 220 }, (_, line) => `Rule ${line} of the house: be careful with files.`).join("\n");
const manyRules = Array.from({ length: 19 }, (_, chapter) => `Chapter ${chapter}.\n${longRules}`).join("\n");
/** Cut inside a surrogate pair, as a limit in UTF-16 units does. */
const halfEmoji = " \ud83d";

/** What a host keeps of a conversation, and what is said in it. It knows of no library and no provider. */
export class Conversation {
  readonly traits: Traits;
  readonly side: Side;
  readonly transcript: Transcript;
  readonly word = wordMaker();
  /** Chances of the step at hand, so that a step does the same whatever was left out before it. */
  chance: Chance;
  history: Message[] = [];
  /** What a window keeps although the host dropped it (`trims: "ignore"`). */
  forgotten: Message[] = [];
  systemLines: string[];
  /** The host's own: there is always one, so that the model can call something. */
  tools: Tool[];
  model: string;
  effort: string | undefined;

  constructor(traits: Traits, transcript: Transcript, chance: Chance) {
    this.traits = traits;
    this.side = sideNamed(traits.wire);
    this.transcript = transcript;
    this.chance = chance;
    this.model = traits.model;
    this.systemLines = [
      isWide(traits.overflow, traits.wire) ? manyRules : traits.prompt === "long" ? longRules : "You help with files.",
      `Rules: ${this.word("s")}`,
      `Now: ${this.word("s")}`,
    ];
    this.tools = [toolNamed("read"), toolNamed("write")];
  }

  /** What a request offers. */
  offered(): readonly Tool[] {
    return asksByTool(this.traits.overflow) ? [...this.tools, roomTool] : this.tools;
  }

  /** All that is in the conversation as far as the host knows, also what it no longer hands over. */
  whole(): readonly Message[] {
    return this.forgotten.length === 0 ? this.history : [...this.forgotten, ...this.history];
  }

  say(message: Message): void {
    this.history.push(message);
    this.transcript.did(describeAll([message]));
  }

  userSays(note?: string): void {
    const text = `${this.word("u")}${note === undefined ? "" : ` ${note}`}${this.#mixes() ? halfEmoji : ""}${this.prose()}`;
    if (this.#shows()) this.say({ role: "user", content: [{ type: "text", text }, picture()] });
    else this.say({ role: "user", content: this.chance.happens(0.5) ? text : [{ type: "text", text }] });
  }

  result(id: unknown): Block {
    const result = { type: "tool_result", tool_use_id: id, ...(this.side.has.has("named-results") ? { name: this.#nameOf(id) } : {}) };
    const text = `${this.word("r")}${this.#mixes() ? longText : ""}${this.prose()}`;
    if (this.#shows()) return { ...result, content: [{ type: "text", text }, picture()] };
    const content = this.chance.happens(0.6) ? text : [{ type: "text", text }];
    if (this.chance.happens(0.04)) return { ...result, content: "" };
    const fails = this.chance.happens(0.1) && this.side.has.has("errors");
    return { ...result, content, ...(fails ? { is_error: true } : {}) };
  }

  /** Of the tool whose latest call has the id. */
  #nameOf(id: unknown): unknown {
    const calls = this.history.flatMap((message) => blocksOf(message).filter((block) => block.type === "tool_use" && block.id === id));
    return calls.at(-1)?.name ?? "read";
  }

  #shows(): boolean {
    return this.#mixes() && this.side.has.has("pictures");
  }

  /** Much to say, where the window is small. */
  prose(): string {
    if (this.traits.overflow === "none") return "";
    return ` ${Array.from({ length: this.chance.pick([2, 12, 40]) }, () => this.chance.pick(proseWords)).join(" ")}`;
  }

  #mixes(): boolean {
    return this.traits.content === "mixed" && this.chance.happens(mixedShare);
  }

  /** The results of the open calls, in the order in which they came back, in one message or one each. */
  answersCalls(): void {
    const results = openCalls(this.history).map((call) => this.result(call.id));
    if (this.chance.happens(0.3)) results.reverse();
    if (this.chance.happens(0.8)) this.say({ role: "user", content: results });
    else for (const result of results) this.say({ role: "user", content: [result] });
  }

  /** Makes the history end in something that can be answered. */
  ready(): void {
    if (openCalls(this.history).length > 0) this.answersCalls();
    else if (this.history.at(-1)?.role !== "user") this.userSays();
  }

  /** The host's own cache mark, on its newest block alone. */
  marksNewest(): void {
    for (const message of this.history) if (Array.isArray(message.content)) for (const block of message.content) delete block.cache_control;
    const last = this.history.at(-1);
    if (last === undefined) return;
    const blocks = [...blocksOf(last)];
    const block = blocks.at(-1);
    if (block === undefined || block.type.endsWith("thinking")) return;
    blocks[blocks.length - 1] = { ...block, cache_control: { type: "ephemeral" } };
    last.content = blocks;
  }
}

const { definition } = newContext();
/** The tool by which the model asks for room. */
export const roomTool: Tool = {
  name: definition.name,
  description: definition.description,
  input_schema: definition.parameters as object,
};

export function toolNamed(name: string): Tool {
  return {
    name,
    description: `Tool ${name}.`,
    input_schema: { type: "object", properties: { path: { type: "string" }, all: { type: "boolean" } }, required: ["path"] },
  };
}

function picture(): Block {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" } };
}
