import type { Behaviour } from "../behaviour.ts";
import { type Block, openCalls } from "../history.ts";

/** Calls and results that do not fit (rule 12). */
export const pairs: readonly Behaviour[] = [
  {
    name: "call id repeated",
    number: undefined,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      const id = String(openCalls(host.history)[0]?.id);
      host.ready();
      const prepared = await host.prepares();
      const call = { id, name: "read", input: { path: host.word("c") } };
      host.keeps(prepared, await host.sends(prepared, { parts: [{ thinking: "again" }, { call }] }));
      host.ready();
      await host.asks();
    },
  },
  {
    name: "result missing",
    number: undefined,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      const [, ...others] = openCalls(host.history);
      if (others.length > 0) host.say({ role: "user", content: others.map((call) => host.result(call.id)) });
      host.userSays("never mind");
      await host.asks();
    },
  },
  {
    name: "result late",
    number: undefined,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      const [late, ...others] = openCalls(host.history);
      if (others.length > 0) host.say({ role: "user", content: others.map((call) => host.result(call.id)) });
      host.userSays("meanwhile");
      await host.asks({ calls: 0 });
      const result = host.result(late?.id);
      host.say({ role: "user", content: host.chance.happens(0.5) ? [result] : [result, { type: "text", text: host.word("u") }] });
      await host.asks();
    },
  },
  {
    name: "result before the words that came first",
    number: undefined,
    mayBreak: [],
    run: async (host) => {
      await host.opensLoop();
      const calls = openCalls(host.history);
      host.userSays("while it runs");
      host.say({ role: "user", content: calls.map((call) => host.result(call.id)) });
      await host.asks();
    },
  },
  {
    name: "result orphaned",
    number: undefined,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.finishesTurn();
      const orphan = host.result(`call_of_nobody_${host.word("c").slice(2)}`);
      const words: Block = { type: "text", text: host.word("u") };
      host.say({ role: "user", content: host.chance.happens(0.5) ? [orphan, words] : [words, orphan] });
      await host.asks();
    },
  },
  {
    name: "result doubled",
    number: undefined,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      const results = openCalls(host.history).map((call) => host.result(call.id));
      const again = host.chance.happens(0.5) ? results : results.map(({ tool_use_id }) => host.result(tool_use_id));
      if (host.chance.happens(0.5)) host.say({ role: "user", content: [...results, ...again] });
      else for (const content of [results, again]) host.say({ role: "user", content });
      await host.asks();
    },
  },
  {
    name: "results joined by words",
    number: undefined,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      const results = openCalls(host.history).map((call) => host.result(call.id));
      const words: Block = { type: "text", text: host.word("u") };
      host.say({ role: "user", content: host.chance.happens(0.5) ? [...results, words] : [words, ...results] });
      await host.asks();
    },
  },
];
