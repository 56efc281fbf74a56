import type { Behaviour } from "../behaviour.ts";
import { endsInReply, userTurns } from "../history.ts";

/** Asking once, and asking again (1, 3 to 6). */
export const attempts: readonly Behaviour[] = [
  {
    name: "step",
    number: 1,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      host.ready();
      await host.asks();
    },
  },
  {
    name: "retry",
    number: 3,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const first = await host.prepares();
      if (host.chance.happens(0.5)) await host.sends(first);
      else await host.fails(first, host.chance.pick([429, 500, 529]));
      host.transcript.did("retry");
      await host.asks();
    },
  },
  {
    name: "retry, changed",
    number: 3,
    mayBreak: ["history"],
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      await host.sends(await host.prepares());
      host.history.pop();
      host.transcript.did("retry with other words");
      host.userSays();
      await host.asks();
    },
  },
  {
    name: "answered twice",
    number: 3,
    mayBreak: ["history"],
    run: async (host) => {
      host.ready();
      const first = await host.prepares();
      const one = await host.sends(first);
      host.transcript.did("the same again");
      const second = await host.prepares();
      const two = await host.sends(second);
      if (host.chance.happens(0.5)) host.keeps(first, one);
      else host.keeps(second, two);
      host.ready();
      await host.asks();
    },
  },
  {
    name: "retry and one more",
    number: 4,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      await host.sends(await host.prepares());
      host.userSays("too");
      await host.asks();
    },
  },
  {
    name: "empty reply",
    number: 5,
    mayBreak: [],
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      const prepared = await host.prepares();
      const answer = await host.sends(prepared, { parts: [] });
      host.settles(prepared, answer);
      host.say({ role: "assistant", content: host.chance.happens(0.5) ? "" : [] });
      host.userSays("hello?");
      await host.asks();
    },
  },
  {
    name: "regenerate",
    number: 6,
    mayBreak: ["history"],
    run: async (host) => {
      await host.finishesTurn();
      if (!endsInReply(host.history) || userTurns(host.history).length === 0) return false;
      while (host.history.at(-1)?.role === "assistant") host.history.pop();
      host.transcript.did("regenerate");
      if (host.history.length === 0) return false;
      await host.asks({ calls: 0 });
      host.ready();
      await host.asks();
    },
  },
];
