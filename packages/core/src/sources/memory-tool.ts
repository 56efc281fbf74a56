import { freezeValue, isObject, type ObjectValue, type Value } from "../json/value.ts";
import { isAllowedKey, keyOfPath, memoryRoot, pathOfKey } from "./memory-path.ts";
import { entryDigest, type MemoryEntry, type MemoryStore } from "./memory-store.ts";
import { mistake, type OwnTool, type ToolContext, type ToolOutcome } from "./own-tool.ts";
import { insertAt, numberedLines, replaceOnce } from "./text-edit.ts";

export type MemoryToolOptions = {
  readonly id: string;
  readonly store: MemoryStore;
  /** How long an entry lasts that does not say so itself: so many requests from when the session first reads it, or milliseconds from when the model writes it. */
  readonly ttl?: { readonly turns?: number | undefined; readonly milliseconds?: number | undefined } | undefined;
  /** Keys that the model may write: exact ones, or beginnings that end in `*`. Default: all. */
  readonly allowedKeys?: readonly string[] | undefined;
  /** Looks at each write of the model. A text refuses it and is what the model is told. */
  readonly veto?: ((write: MemoryWrite) => string | undefined | Promise<string | undefined>) | undefined;
};

/** `text` undefined: the entry is to be removed. */
export type MemoryWrite = { readonly command: string; readonly key: string; readonly text: string | undefined };

/** The tool by which the model reads and writes memory. Its commands and members are those of Anthropic's memory tool (`memory_20250818`). */
export function memoryTool(options: MemoryToolOptions): OwnTool {
  return {
    definition: {
      name: options.id,
      description: `Reads and writes what is remembered across conversations, as texts under ${memoryRoot}. Look there before you begin a task, and keep there what a later conversation must know.`,
      parameters,
    },
    call: (input, context) => run(options, input, context),
  };
}

const text = { type: "string" };
const parameters: ObjectValue = /* @__PURE__ */ freezeValue({
  type: "object",
  properties: {
    command: { type: "string", enum: ["view", "create", "str_replace", "insert", "delete", "rename"] },
    path: { ...text, description: `view, create, str_replace, insert, delete: a path under ${memoryRoot}.` },
    view_range: { type: "array", items: { type: "integer" }, description: "view: first and last line; -1 is the end." },
    file_text: { ...text, description: "create: the whole text." },
    old_str: { ...text, description: "str_replace: words that stand there exactly once." },
    new_str: { ...text, description: "str_replace: what stands there instead." },
    insert_line: { type: "integer", description: "insert: the line behind which to insert; 0 is the beginning." },
    insert_text: { ...text, description: "insert: the lines." },
    old_path: { ...text, description: "rename: from." },
    new_path: { ...text, description: "rename: to." },
  },
  required: ["command"],
});

type Call = {
  readonly options: MemoryToolOptions;
  readonly input: ObjectValue;
  readonly context: ToolContext;
  readonly entries: readonly MemoryEntry[];
};
/** What a command does to the store, and what the model is told. */
type Change = { readonly told: string; readonly writes: readonly MemoryEntry[]; readonly removes: readonly string[] };

async function run(options: MemoryToolOptions, given: Value, context: ToolContext): Promise<ToolOutcome> {
  const input = isObject(given) ? given : {};
  const command = input["command"];
  if (command === "view") return view({ options, input, context, entries: await lasting(options, context) });
  const make = typeof command === "string" && Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (make === undefined) return mistake(`Unknown command. Use one of view, ${Object.keys(commands).join(", ")}.`);
  const change = make({ options, input, context, entries: await lasting(options, context) });
  if ("isError" in change) return change;
  const refusal = await refusalOf(options, String(command), change);
  if (refusal !== undefined) return mistake(refusal);
  for (const key of change.removes) await options.store.remove(key);
  for (const entry of change.writes) await options.store.write(entry);
  const removed = change.removes.filter((key) => !change.writes.some((entry) => entry.key === key));
  return {
    text: change.told,
    isError: false,
    writes: [...removed.map((key) => [key, null] as const), ...change.writes.map((entry) => [entry.key, entryDigest(entry)] as const)],
  };
}

async function lasting({ store }: MemoryToolOptions, { now }: ToolContext): Promise<readonly MemoryEntry[]> {
  return (await store.read()).filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
}

async function refusalOf(
  { allowedKeys, veto }: MemoryToolOptions,
  command: string,
  { writes, removes }: Change,
): Promise<string | undefined> {
  const touched = [...removes.map((key) => ({ key, text: undefined })), ...writes.map(({ key, text }) => ({ key, text }))];
  for (const { key, text } of touched) {
    if (!isAllowedKey(key, allowedKeys)) return `${pathOfKey(key)} may not be written. Allowed: ${allowedKeys?.map(pathOfKey).join(", ")}.`;
    const refusal = await veto?.({ command, key, text });
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function view({ input, context, entries }: Call): ToolOutcome {
  const place = keyOfPath(input["path"] ?? memoryRoot);
  if ("problem" in place) return mistake(place.problem);
  const entry = entries.find(({ key }) => key === place.key);
  if (entry !== undefined) return viewText(entry, input["view_range"], context);
  const below = under(entries, place.key);
  if (below.length === 0 && place.key !== "") return mistake(noSuch(place.key));
  if (below.length === 0) return { text: "Nothing is remembered yet.", isError: false };
  const lines = below.map(
    ({ key, text, description }) => `${pathOfKey(key)} (${text.length} characters)${description === undefined ? "" : `: ${description}`}`,
  );
  return { text: lines.map(context.clean).join("\n"), isError: false };
}

function viewText({ key, text }: MemoryEntry, range: Value | undefined, context: ToolContext): ToolOutcome {
  const lines = numberedLines(context.clean(text), range);
  return "problem" in lines ? mistake(lines.problem) : { text: `${pathOfKey(key)}\n${lines.text}`, isError: false };
}

const commands: Readonly<Record<string, (call: Call) => Change | ToolOutcome>> = {
  create: (call) => {
    const { file_text: words } = call.input;
    if (typeof words !== "string") return mistake("create needs `file_text`.");
    return onKey(call, "path", (key, before) =>
      under(call.entries, key).length > 0
        ? mistake(`${pathOfKey(key)} is a folder. Choose another path.`)
        : written(call, { ...before, key, text: words }, `Written to ${pathOfKey(key)}.`),
    );
  },
  str_replace: (call) =>
    onEntry(call, (entry) => {
      const edited = replaceOnce(entry.text, call.input["old_str"], call.input["new_str"]);
      return "problem" in edited
        ? mistake(edited.problem)
        : written(call, { ...entry, text: edited.text }, `Changed ${pathOfKey(entry.key)}.`);
    }),
  insert: (call) =>
    onEntry(call, (entry) => {
      const edited = insertAt(entry.text, call.input["insert_line"], call.input["insert_text"]);
      return "problem" in edited
        ? mistake(edited.problem)
        : written(call, { ...entry, text: edited.text }, `Changed ${pathOfKey(entry.key)}.`);
    }),
  delete: (call) =>
    onKey(call, "path", (key, entry) => {
      const removes = entry === undefined ? under(call.entries, key).map((other) => other.key) : [key];
      return removes.length === 0 ? mistake(noSuch(key)) : { told: `Removed ${pathOfKey(key)}.`, writes: [], removes };
    }),
  rename: (call) =>
    onKey(call, "old_path", (from, entry) =>
      onKey(call, "new_path", (to, taken) => {
        const moved = entry === undefined ? under(call.entries, from) : [entry];
        if (moved.length === 0) return mistake(noSuch(from));
        if (taken !== undefined || under(call.entries, to).length > 0 || `${to}/`.startsWith(`${from}/`))
          return mistake(`${pathOfKey(to)} is taken. Choose another path, or delete it first.`);
        return {
          told: `Moved ${pathOfKey(from)} to ${pathOfKey(to)}.`,
          writes: moved.map((item) => ({ ...item, key: `${to}${item.key.slice(from.length)}` })),
          removes: moved.map(({ key }) => key),
        };
      }),
    ),
};

type Step = (key: string, entry: MemoryEntry | undefined) => Change | ToolOutcome;

function onKey({ input, entries }: Call, member: string, step: Step): Change | ToolOutcome {
  const place = keyOfPath(input[member]);
  if ("problem" in place) return mistake(`${member}: ${place.problem}`);
  if (place.key === "") return mistake(`${member}: ${memoryRoot} itself can only be viewed.`);
  return step(
    place.key,
    entries.find(({ key }) => key === place.key),
  );
}

function onEntry(call: Call, step: (entry: MemoryEntry) => Change | ToolOutcome): Change | ToolOutcome {
  return onKey(call, "path", (key, entry) => (entry === undefined ? mistake(noSuch(key)) : step(entry)));
}

/** The words are kept as they will be said; what the model writes lasts as the source says. */
function written({ options, context }: Call, entry: MemoryEntry, told: string): Change {
  const lasts = options.ttl?.milliseconds;
  const text = context.clean(entry.text);
  return { told, writes: [{ ...entry, text, ...(lasts === undefined ? {} : { expiresAt: context.now + lasts }) }], removes: [] };
}

function under(entries: readonly MemoryEntry[], key: string): readonly MemoryEntry[] {
  return key === "" ? entries : entries.filter((entry) => entry.key.startsWith(`${key}/`));
}

function noSuch(key: string): string {
  return `There is nothing at ${pathOfKey(key)}. View ${memoryRoot} for what there is.`;
}
