import { type ChefConfig, ContextChef, fromAnthropic, InMemoryStore, type Skill } from "@context-chef/core";
import { createSession, inMemoryStore, memory, type StandardSchema, skill, state } from "@tidemark/core";
import { type AnthropicRequest, anthropic } from "@tidemark/core/anthropic";
import { z } from "zod";
import { type Known, systemText, tools, type Way } from "./agent.ts";

const object: StandardSchema<object> = {
  "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value: value as object }) },
};

/** Appended events. */
export function appended(): Way {
  const store = inMemoryStore();
  const board = state("board", { schema: object });
  const mode = skill();
  const hour = state("hour", { schema: object });
  const session = createSession<AnthropicRequest>({ wire: anthropic(), headers: true, sources: [memory({ store }), mode, board, hour] });
  return {
    name: "tidemark",
    prepare: async (model, messages, known) => {
      session.set(board, known.board);
      session.set(mode, known.skill);
      session.set(hour, { now: known.time });
      for (const entry of known.memory) await store.write(entry);
      const request = { model, max_tokens: 1_000, system: systemText, tools, messages } as unknown as AnthropicRequest;
      return session.prepare(request);
    },
    settle: (reply) => session.settle(reply),
  };
}

const boardSchema = z.object({ board: z.record(z.string(), z.string()), now: z.string() });

/** `@context-chef/core` with its documented settings: as they are by default, or with everything that changes moved into the tail. */
export function chef(name: string, config: ChefConfig, placement: "system" | "last_user"): Way {
  const kitchen = new ContextChef({ ...config, memory: { store: new InMemoryStore(), ...config.memory } });
  return {
    name,
    prepare: async (model, messages, known) => {
      await remember(kitchen, known);
      const { history } = fromAnthropic(messages as unknown as Parameters<typeof fromAnthropic>[0]);
      // What is told in the tail becomes part of the last message and goes from it in the next request: the mark that is read again sits before it.
      const repeated = history.length - (placement === "last_user" ? 2 : 1);
      const marked = history.map((message, index) => (index === repeated ? { ...message, _cache_breakpoint: true } : message));
      const { meta: _meta, ...payload } = await kitchen
        .setSystemPrompt([{ role: "system", content: systemText, _cache_breakpoint: true }])
        .setHistory(marked)
        .activateSkill(known.skill as Skill)
        .setDynamicState(boardSchema, { board: known.board, now: known.time }, { placement })
        .compile({ target: "anthropic" });
      return { request: { ...payload, model, max_tokens: 1_000, tools } };
    },
  };
}

async function remember(kitchen: ContextChef, { memory: entries }: Known): Promise<void> {
  const kept = kitchen.getMemory();
  for (const { key, text } of entries) {
    const known = await kept.get(key);
    if (known !== text) await kept.set(key, text);
  }
}

/** The habit: everything is written into the system text. */
export function rewritten(): Way {
  return {
    name: "rewritten system text",
    prepare: async (model, messages, { board, skill: active, memory: entries, time }) => ({
      request: {
        ...{ model, max_tokens: 1_000, tools, messages, cache_control: { type: "ephemeral" } },
        system: [systemText, active.instructions, JSON.stringify({ board, entries, time })].join("\n\n"),
      },
    }),
  };
}
