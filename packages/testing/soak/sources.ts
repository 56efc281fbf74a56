import {
  announcement,
  guardrail,
  inMemoryStore,
  memory,
  retrieval,
  type Session,
  type Source,
  type StandardSchema,
  skill,
  state,
} from "@tidemark/core";
import type { Chance } from "../src/simulator/chance.ts";
import type { Word } from "./words.ts";

const anyText: StandardSchema<unknown, string> = {
  "~standard": { version: 1, vendor: "soak", validate: (value) => ({ value: String(value) }) },
};

const task = state("task", { schema: anyText as StandardSchema<string> });
const mode = state("mode", { schema: anyText as StandardSchema<string>, channel: "system" });
const news = announcement("news");
const craft = skill();
const tone = guardrail("tone");
const found = retrieval("found");

/** How each source is told its words. */
const setters = {
  task: (session: Session, text: string) => session.set(task, text),
  mode: (session: Session, text: string) => session.set(mode, text),
  news: (session: Session, text: string) => session.set(news, text),
  craft: (session: Session, text: string) => session.set(craft, { name: "mending", instructions: text }),
  tone: (session: Session, text: string) => session.set(tone, { text }),
  found: (session: Session, text: string) => session.set(found, [{ id: "page", text }]),
} as const;

const clearable = { task, mode, news, craft, tone, found } as const;
type SourceName = keyof typeof setters;
const names = Object.keys(setters) as SourceName[];

/** The sources of one host and what each has to say now: one word each. Hosts of other sessions have others. */
export class SoakSources {
  readonly all: readonly Source<never>[];
  current: ReadonlyMap<string, Word> = new Map();
  readonly #memory = inMemoryStore();

  constructor() {
    this.all = [task, mode, news, craft, tone, found, memory({ store: this.#memory })] as unknown as readonly Source<never>[];
  }

  /** Some source gets other words. Returns what was done. */
  async changes(session: Session, chance: Chance, word: Word): Promise<string> {
    const name = chance.pick([...names, "memory"] as const);
    this.current = new Map([...this.current, [name, word]]);
    if (name === "memory") await this.#memory.write({ key: "fact", text: word });
    else setters[name](session, word);
    return `${name} says ${word}`;
  }

  /** A session of an earlier time, or a new one: it says what it was told by then. Memory is kept elsewhere. */
  returnsTo(settings: ReadonlyMap<string, Word> = new Map()): void {
    const remembered = this.current.get("memory");
    const told = [...settings].filter(([name]) => name !== "memory");
    this.current = new Map(remembered === undefined ? told : [...told, ["memory", remembered]]);
  }

  /** Words that are set and set back between two requests. */
  flickers(session: Session, chance: Chance, word: Word): string {
    const known = names.filter((name) => this.current.has(name));
    const name = chance.pick(known.length > 0 ? known : names);
    const before = this.current.get(name);
    setters[name](session, word);
    if (before === undefined) session.clear(clearable[name]);
    else setters[name](session, before);
    return `${name} is set and set back`;
  }

  /** A source says no more. */
  async clears(session: Session, chance: Chance): Promise<string> {
    const name = chance.pick([...this.current.keys()]);
    if (name === undefined) return "nothing to clear";
    this.current = new Map([...this.current].filter(([other]) => other !== name));
    if (name === "memory") await this.#memory.remove("fact");
    else session.clear(clearable[name as SourceName]);
    return `${name} says no more`;
  }
}
