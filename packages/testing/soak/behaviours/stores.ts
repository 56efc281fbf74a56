import type { Behaviour } from "../behaviour.ts";
import { clone, holdsResult, type Message, userTurns } from "../history.ts";
import type { Host } from "../host.ts";
import { sideNamed } from "../sides/table.ts";
import { drawForms, type StoreForm, storeFormNames, throughStore } from "../store-forms.ts";

/** What becomes of a history where it is kept (17 to 19). */
export const stores: readonly Behaviour[] = [
  ...storeFormNames.map(
    (form): Behaviour => ({
      name: `store: ${form}`,
      number: 17,
      mayBreak: [],
      onlyIf: ({ wire }) => sideNamed(wire).storeForms.includes(form),
      run: (host) => stored(host, [form]),
    }),
  ),
  { name: "store: several at once", number: 17, mayBreak: [], run: (host) => stored(host, drawForms(host.chance, host.side.storeForms)) },
  {
    name: "store the window",
    number: 18,
    mayBreak: [],
    run: async (host) => {
      host.ready();
      const prepared = await host.prepares();
      const answer = await host.sends(prepared);
      host.history = clone(prepared.window.messages) as Message[];
      host.forgotten = [];
      host.transcript.did("store the window");
      host.keeps(prepared, answer);
      host.ready();
      await host.asks();
    },
  },
  {
    name: "slide",
    number: 19,
    mayBreak: ["history"],
    run: async (host) => {
      for (let times = 1 + host.chance.below(3); times > 0; times--) {
        while (userTurns(host.history).length < 3) {
          await host.finishesTurn();
          host.userSays();
          await host.asks();
        }
        slideTo(host, userTurns(host.history)[1] as number);
        host.ready();
        await host.asks();
      }
    },
  },
  {
    name: "slide anywhere",
    number: 19,
    mayBreak: ["history"],
    run: async (host) => {
      while (host.history.length < 6) {
        host.ready();
        await host.asks();
      }
      const places = [...host.history.keys()].slice(1, -3).filter((at) => mayStart(host, at));
      const at = host.chance.pick(places);
      if (at === undefined) return false;
      slideTo(host, at);
      host.ready();
      await host.asks();
    },
  },
];

async function stored(host: Host, forms: readonly StoreForm[]): Promise<undefined> {
  for (let times = 1 + host.chance.below(2); times > 0; times--) {
    host.history = throughStore(host.history, forms);
    host.transcript.did(`through a store: ${forms.join(", ") || "as it is"}`);
    host.ready();
    await host.asks();
  }
}

/** What is left of a batch of results is told from what was dropped by nothing. */
function mayStart({ history, traits }: Host, at: number): boolean {
  return traits.trims === "obey" || !holdsResult(history[at] as Message);
}

/** The oldest messages are dropped; not while a change to one of them waits. */
function slideTo(host: Host, at: number): void {
  if (host.traits.trims === "ignore" && (host.last?.held ?? 0) > 0) return;
  const dropped = host.history.splice(0, at);
  if (host.traits.trims === "ignore") host.forgotten = [...host.forgotten, ...dropped];
  host.transcript.did(`slide: drop the first ${at} messages`);
}
