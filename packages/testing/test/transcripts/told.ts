import {
  announcement,
  inMemoryStore,
  type MemoryStore,
  memory,
  type Session,
  type Skill,
  type Source,
  type StandardSchema,
  skill,
  state,
} from "@tidemark/core";

/** What a host of the stories tells the model beside its history. */
export type Told = {
  readonly sources: readonly Source<never>[];
  readonly task: Source<object>;
  readonly reminder: Source<string>;
  readonly notice: Source<string>;
  readonly mode: Source<Skill>;
  readonly store: MemoryStore;
};

const object: StandardSchema<object> = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) } };

export function toldThings(): Told {
  const store = inMemoryStore();
  const task = state<object>("task", { schema: object });
  const reminder = announcement("reminder", { channel: "turn" });
  const notice = announcement("notice", { channel: "system" });
  const mode = skill();
  return { sources: [memory({ store }), mode, task, reminder, notice], task, reminder, notice, mode, store };
}

type Tell = (session: Pick<Session, "set" | "clear" | "tools">, told: Told, words: readonly string[]) => Promise<readonly string[]>;

/** Steps that tell the session something; they make no request by themselves. */
// biome-ignore format: a table
export const tellings: Readonly<Record<string, Tell>> = {
  state: async (session, { task }, [step]) => { step === "none" ? session.clear(task) : session.set(task, { step }); return []; },
  skill: async (session, { mode }, [name = "", instructions = ""]) => { name === "none" ? session.clear(mode) : session.set(mode, { name, instructions }); return []; },
  remind: async (session, { reminder }, [text = ""]) => { text === "none" ? session.clear(reminder) : session.set(reminder, text); return []; },
  announce: async (session, { notice }, [text = ""]) => { session.set(notice, text); return []; },
  remember: async (_session, { store }, [key = "", text = ""]) => { await store.write({ key, text }); return []; },
  forget: async (_session, { store }, [key = ""]) => { await store.remove(key); return []; },
  // The model's own call of the memory tool, run by the host.
  writes: async (session, _told, [key = "", file_text = ""]) => {
    const outcome = await session.tools.call("memory", { command: "create", path: `/memories/${key}`, file_text });
    return [`the tool answers "${outcome?.text}"`];
  },
};
