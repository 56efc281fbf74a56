import type { Behaviour } from "../behaviour.ts";
import { type Message, userTurns } from "../history.ts";
import type { Traits } from "../traits.ts";

/** Replies that come when the history has moved on (10, 11). */
export const races: readonly Behaviour[] = [
  {
    name: "queued in flight",
    number: 10,
    mayBreak: [],
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      const prepared = await host.prepares();
      const answer = await host.sends(prepared, { calls: 0 });
      host.userSays("queued");
      host.keeps(prepared, answer);
      host.ready();
      await host.asks();
    },
  },
  {
    name: "two in flight, first kept",
    number: 11,
    mayBreak: ["history"],
    onlyIf: namesTurns,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      const first = await host.prepares();
      host.userSays("in between");
      const second = await host.prepares();
      await host.sends(second, { calls: 0 });
      const [between] = host.history.splice(-1);
      host.keeps(first, await host.sends(first, { calls: 0 }));
      host.say(between as Message);
      await host.asks();
    },
  },
  {
    name: "two in flight, second kept",
    number: 11,
    mayBreak: [],
    onlyIf: namesTurns,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      const first = await host.prepares();
      host.userSays("in between");
      const second = await host.prepares();
      await host.sends(first, { calls: 0 });
      host.keeps(second, await host.sends(second));
      host.ready();
      await host.asks();
    },
  },
  {
    name: "late reply after an edit",
    number: 11,
    mayBreak: ["history"],
    onlyIf: namesTurns,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      const first = await host.prepares();
      const answer = await host.sends(first, { calls: 0 });
      const at = host.chance.pick(userTurns(host.history));
      (host.history[at] as Message).content = `${host.word("u")} (edited)`;
      host.transcript.did(`edit message ${at}`);
      await host.sends(await host.prepares());
      host.keeps(first, answer);
      host.ready();
      await host.asks();
    },
  },
];

/** Who never settles cannot say which of two requests a reply answers: the rules promise it nothing. */
function namesTurns(traits: Traits): boolean {
  return traits.settles !== "never";
}
