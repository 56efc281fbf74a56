import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Speaker, speakers } from "../../test/speakers.ts";
import { allOf, breaks, bytes, Talk, type TalkOptions } from "../../test/talk.ts";
import { type MemoryOptions, memory } from "../sources/memory.ts";
import { inMemoryStore, type MemoryEntry, type MemoryStore } from "../sources/memory-store.ts";

/** A host with a memory in a test: it writes to the store itself, and lets the model write by the tool. */
class Rememberer extends Talk {
  readonly kept: MemoryStore;
  now = Date.UTC(2026, 10, 30);

  constructor(speaker: Speaker, options: Partial<MemoryOptions> = {}, more: TalkOptions = {}) {
    const store = inMemoryStore();
    super({ sources: [memory({ store, ...options })], now: () => this.now, ...more }, speaker);
    this.kept = store;
  }

  write(key: string, text: string, more: Partial<MemoryEntry> = {}): void {
    this.kept.write({ key, text, ...more });
  }

  async call(command: string, input: object): Promise<string> {
    const outcome = await this.session.tools.call("memory", { command, ...input });
    return `${outcome?.isError === true ? "error: " : ""}${outcome?.text}`;
  }

  /** The next request; what memory says in it, without line ends. */
  async step(words = "go on"): Promise<string> {
    const before = bytes(this.turn);
    const turn = await this.ask(words);
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
    this.answer({ text: "yes" });
    return this.#said();
  }

  #said(): string {
    if (this.turn?.said.length === 0) return "";
    const text = allOf(this.turn).replaceAll('\\"', '"').replaceAll("\\n", "");
    return text.slice(text.lastIndexOf("<memory"), text.lastIndexOf("</memory>"));
  }

  lastSaid(): string {
    return this.#said();
  }
}

describe.each(speakers)("memory on $name (rule 21)", (speaker) => {
  test("opens a window with one snapshot and then says only what changed: writes, removals, expiries", async () => {
    const talk = new Rememberer(speaker);
    talk.write("name", "Ada", { description: "the user" });
    talk.write("city", "Lisbon", { expiresAt: talk.now + 1_000 });
    expect(await talk.step()).toBe('<memory rev="1"><entry key="name" description="the user">Ada</entry><entry key="city">Lisbon</entry>');
    expect(await talk.step()).toBe("");
    talk.write("name", "Ada L.");
    talk.write("pet", "a cat");
    expect(await talk.step()).toBe('<memory rev="2" changes="1"><entry key="name">Ada L.</entry><entry key="pet">a cat</entry>');
    talk.now += 2_000;
    talk.kept.remove("pet");
    expect(await talk.step()).toBe('<memory rev="3" changes="2"><entry key="city" removed="true"/><entry key="pet" removed="true"/>');
    expect(await talk.step()).toBe("");
  });

  test("does not echo what the model writes by its tool, whatever else is written meanwhile", async () => {
    const talk = new Rememberer(speaker);
    talk.write("plan", "Read first.");
    await talk.step();
    await talk.call("create", { path: "/memories/todo", file_text: "one\ntwo" });
    await talk.call("str_replace", { path: "/memories/plan", old_str: "first", new_str: "twice" });
    talk.write("host", "says this");
    expect(await talk.step()).toBe('<memory rev="2" changes="1"><entry key="host">says this</entry>');
    expect(await talk.step()).toBe("");
    talk.write("todo", "one");
    expect(await talk.step()).toBe('<memory rev="3" changes="2"><entry key="todo">one</entry>');
    await talk.call("delete", { path: "/memories/todo" });
    expect(await talk.step()).toBe("");
    talk.write("todo", "one");
    expect(await talk.step()).toContain('<entry key="todo">one</entry>');
  });

  test("says a host's write over a model's write once, also when the request that said it has to be made again", async () => {
    const talk = new Rememberer(speaker);
    talk.write("a", "1");
    await talk.step();
    await talk.call("create", { path: "/memories/a", file_text: "2" });
    talk.write("a", "3");
    await talk.ask("now");
    expect(talk.lastSaid()).toContain('<entry key="a">3</entry>');
    talk.write("a", "2");
    expect((await talk.send()).said).toEqual([]);
    talk.answer({ text: "yes" });
    expect(await talk.step()).toBe("");
  });

  test("does not announce what the selector stops picking; a hidden entry's change is not said, its removal is", async () => {
    let hidden: readonly string[] = [];
    const seen: unknown[] = [];
    const selector = (entries: readonly MemoryEntry[]): readonly MemoryEntry[] => {
      seen.push(entries);
      for (const entry of entries) Object.assign(entry, { text: "changed by the selector" });
      return entries.filter(({ key }) => !hidden.includes(key));
    };
    const talk = new Rememberer(speaker, { selector });
    talk.write("a", "1");
    talk.write("b", "2");
    expect(await talk.step()).toBe('<memory rev="1"><entry key="a">1</entry><entry key="b">2</entry>');
    hidden = ["a", "c"];
    expect(await talk.step()).toBe("");
    talk.write("a", "changed");
    talk.write("c", "never seen");
    expect(await talk.step()).toBe("");
    talk.kept.remove("c");
    expect(await talk.step()).toBe("");
    talk.kept.remove("a");
    expect(await talk.step()).toBe('<memory rev="2" changes="1"><entry key="a" removed="true"/>');
  });

  test("says nothing of an empty selection, and its first entry later as the snapshot", async () => {
    const talk = new Rememberer(speaker);
    expect(await talk.step()).toBe("");
    talk.write("a", "1");
    expect(await talk.step()).toBe('<memory rev="1"><entry key="a">1</entry>');
  });

  test("says a snapshot again behind a checkpoint that took the first one, the model's own writes with it", async () => {
    const talk = new Rememberer(speaker);
    talk.write("a", "1");
    await talk.step("one");
    await talk.call("create", { path: "/memories/b", file_text: "2" });
    await talk.step("two");
    talk.history = [speaker.user("elsewhere")];
    await talk.send();
    expect(talk.lastSaid()).toBe('<memory rev="1"><entry key="a">1</entry><entry key="b">2</entry>');
  });

  test("is read once a request", async () => {
    const store = inMemoryStore([{ key: "a", text: "1" }]);
    let reads = 0;
    const counting: MemoryStore = {
      ...store,
      read: () => {
        reads += 1;
        return store.read();
      },
    };
    const talk = new Talk({ sources: [memory({ store: counting })] }, speaker);
    await talk.ask("one");
    expect(reads).toBe(1);
    talk.session.peek(talk.request());
    expect(reads).toBe(1);
  });

  test("forgets by turns where the source or the entry says so", async () => {
    const talk = new Rememberer(speaker, { ttl: { turns: 2 } });
    talk.write("short", "1");
    talk.write("long", "2", { turns: 3 });
    expect(await talk.step()).toContain("short");
    expect(await talk.step()).toBe("");
    talk.restore();
    expect(await talk.step()).toBe('<memory rev="2" changes="1"><entry key="short" removed="true"/>');
    expect(await talk.step()).toBe('<memory rev="3" changes="2"><entry key="long" removed="true"/>');
  });

  test("survives a restore at every point; without the store it says again only what is needed (rule 48)", async () => {
    const plays = async (restores: boolean): Promise<readonly string[]> => {
      const talk = new Rememberer(speaker);
      const said: string[] = [];
      for (const write of ["host", "model", "host", "both", "none"]) {
        if (write === "host" || write === "both") talk.write(`h${said.length}`, "by the host");
        if (write === "model" || write === "both")
          await talk.call("create", { path: `/memories/m${said.length}`, file_text: "by the model" });
        if (restores) talk.restore();
        said.push(await talk.step(), bytes(talk.turn).join());
        if (restores) talk.restore();
      }
      return said;
    };
    expect(await plays(true)).toEqual(await plays(false));
    const talk = new Rememberer(speaker);
    talk.write("a", "1");
    await talk.step();
    talk.restore({ sources: [memory({ store: inMemoryStore([{ key: "a", text: "1" }]) })] });
    expect(await talk.step()).toBe("");
    talk.restore({ sources: [memory({ store: inMemoryStore() })] });
    expect(await talk.step()).toBe('<memory rev="2" changes="1"><entry key="a" removed="true"/>');
  });

  test("a prepare that fails leaves no trace: the same is said by the next one (rule 46)", async () => {
    const talk = new Rememberer(speaker);
    talk.write("a", "1");
    const aborted = new AbortController();
    const waiting = talk.session.prepare(talk.request({ messages: [speaker.user("one")] }), { signal: aborted.signal });
    aborted.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
    expect(await talk.step()).toBe('<memory rev="1"><entry key="a">1</entry>');
  });

  test("whatever host and model write in whatever order, the model's knowledge is the store's (property)", async () => {
    const write = fc.record({
      who: fc.constantFrom("host", "model"),
      key: fc.constantFrom("a", "b", "c"),
      text: fc.option(fc.constantFrom("1", "2", "3"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(write, { maxLength: 4 }), { minLength: 1, maxLength: 8 }), async (steps) => {
        const talk = new Rememberer(speaker);
        const known = new Map<string, string>();
        for (const writes of steps) {
          for (const { who, key, text } of writes) {
            if (who === "host") await (text === undefined ? talk.kept.remove(key) : talk.kept.write({ key, text }));
            else {
              const input = text === undefined ? { path: `/memories/${key}` } : { path: `/memories/${key}`, file_text: text };
              const told = await talk.call(text === undefined ? "delete" : "create", input);
              if (!told.startsWith("error")) text === undefined ? known.delete(key) : known.set(key, text);
            }
          }
          const said = await talk.step();
          const ownWords = [...said.matchAll(/<entry key="(\w)"(?: removed="true"\/>|>(\d)<\/entry>)/g)];
          for (const [, key = "", text] of ownWords) {
            expect(known.get(key)).not.toBe(text ?? "nothing");
            text === undefined ? known.delete(key) : known.set(key, text);
          }
          const kept = new Map((await talk.kept.read()).map((entry) => [entry.key, entry.text]));
          expect(new Map([...known].toSorted())).toEqual(new Map([...kept].toSorted()));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the memory tool", () => {
  const begun = (options: Partial<MemoryOptions> = {}): Rememberer => new Rememberer(speakers[0] as Speaker, options);

  test("has one static definition in the wire's form, which the host hands over with its own tools", async () => {
    const talk = begun();
    const [own] = talk.session.tools.own;
    expect(talk.session.tools.own[0]).toBe(own);
    expect(own).toMatchObject({ name: "memory", input_schema: { type: "object", required: ["command"] } });
    expect(Object.isFrozen(own)).toBe(true);
    expect(new Rememberer(speakers[1] as Speaker).session.tools.own[0]).toMatchObject({ type: "function", function: { name: "memory" } });
    expect(talk.session.tools.call("bash", {})).toBeUndefined();
    Object.assign(talk.head, { tools: [own] });
    talk.write("a", "1");
    await talk.step();
    talk.write("b", "2");
    await talk.step();
  });

  test("views, creates, replaces, inserts, deletes and renames", async () => {
    const talk = begun();
    expect(await talk.call("view", { path: "/memories" })).toBe("Nothing is remembered yet.");
    await talk.call("create", { path: "/memories/notes/day", file_text: "one\ntwo\nthree" });
    await talk.call("create", { path: "/memories/name", file_text: "Ada" });
    expect(await talk.call("view", { path: "/memories" })).toBe("/memories/notes/day (13 characters)\n/memories/name (3 characters)");
    expect(await talk.call("view", { path: "/memories/notes" })).toBe("/memories/notes/day (13 characters)");
    expect(await talk.call("view", { path: "/memories/notes/day", view_range: [2, -1] })).toBe("/memories/notes/day\n2  two\n3  three");
    await talk.call("str_replace", { path: "/memories/notes/day", old_str: "two", new_str: "2" });
    await talk.call("insert", { path: "/memories/notes/day", insert_line: 0, insert_text: "zero\n" });
    expect(talk.kept.read()).toMatchObject([{ text: "zero\none\n2\nthree" }, { key: "name" }]);
    await talk.call("rename", { old_path: "/memories/notes", new_path: "/memories/old" });
    expect(talk.kept.read()).toMatchObject([{ key: "name" }, { key: "old/day" }]);
    await talk.call("delete", { path: "/memories/old" });
    expect(talk.kept.read()).toMatchObject([{ key: "name" }]);
    expect(await talk.step()).toBe("");
  });

  test("tells the model what it can correct, and writes nothing then", async () => {
    const vetoed = {
      veto: ({ text }: { readonly text: string | undefined }) => (text?.includes("secret") ? "Keep no secrets." : undefined),
    };
    const talk = begun({ ...vetoed, allowedKeys: ["notes/*", "name"] });
    await talk.call("create", { path: "/memories/notes/a", file_text: "x x" });
    const before = JSON.stringify(talk.kept.read());
    for (const [command, input, told] of [
      ["sing", {}, "Unknown command"],
      ["create", { path: "/memories/other", file_text: "x" }, "may not be written. Allowed: /memories/notes/*, /memories/name."],
      ["create", { path: "/memories/notes/b", file_text: "a secret" }, "Keep no secrets."],
      ["create", { path: "/memories/notes/b" }, "`file_text`"],
      ["create", { path: "/memories/notes", file_text: "x" }, "is a folder"],
      ["create", { path: "/etc/passwd", file_text: "x" }, "under /memories"],
      ["create", { path: "/memories/../etc", file_text: "x" }, "cannot have"],
      ["create", { path: "/memories/%2e%2e/etc", file_text: "x" }, "cannot have"],
      ["view", { path: "/memories/notes/zzz" }, "nothing at /memories/notes/zzz"],
      ["view", { path: "/memories/notes/a", view_range: [7, 9] }, "within 1 and 1"],
      ["str_replace", { path: "/memories/notes/a", old_str: "y", new_str: "" }, "does not stand there"],
      ["str_replace", { path: "/memories/notes/a", old_str: "x", new_str: "" }, "more than once"],
      ["insert", { path: "/memories/notes/a", insert_line: 9, insert_text: "x" }, "within 0 and 1"],
      ["delete", { path: "/memories" }, "only be viewed"],
      ["rename", { old_path: "/memories/notes/a", new_path: "/memories/notes/a" }, "is taken"],
      ["rename", { old_path: "/memories/notes", new_path: "/memories/notes/b" }, "is taken"],
    ] as const)
      expect(await talk.call(command, input)).toContain(told);
    expect(JSON.stringify(talk.kept.read())).toBe(before);
    expect(await talk.session.tools.call("memory", "no object")).toMatchObject({ isError: true });
  });

  test("of calls in one batch each sees what the one before wrote", async () => {
    const talk = begun();
    await talk.call("create", { path: "/memories/a", file_text: "0" });
    await Promise.all(["1", "2", "3"].map((text) => talk.call("insert", { path: "/memories/a", insert_line: 0, insert_text: text })));
    expect(talk.kept.read()).toMatchObject([{ text: "3\n2\n1\n0" }]);
  });

  test("gives the model's entries the source's time to live", async () => {
    const talk = begun({ ttl: { milliseconds: 1_000 } });
    await talk.call("create", { path: "/memories/a", file_text: "1" });
    expect(await talk.step()).toBe("");
    talk.now += 1_000;
    expect(await talk.step()).toBe('<memory rev="1"><entry key="a" removed="true"/>');
    expect(await talk.call("view", { path: "/memories" })).toBe("Nothing is remembered yet.");
  });
});
