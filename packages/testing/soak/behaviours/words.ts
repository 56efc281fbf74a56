import type { Behaviour } from "../behaviour.ts";
import { endsInReply } from "../history.ts";
import type { Host } from "../host.ts";
import type { SoakSources } from "../sources.ts";

/** A source that speaks breaks nothing. */
const ofSources: Pick<Behaviour, "mayBreak" | "needs" | "whenOwned" | "onlyIf"> = {
  mayBreak: [],
  needs: "session",
  whenOwned: true,
  onlyIf: speaks,
};

/** Sources that have something to say, and a clock that goes on (2, 3). */
export const words: readonly Behaviour[] = [
  {
    name: "source changes",
    number: 2,
    ...ofSources,
    run: async (host) => {
      for (let times = 1 + host.chance.below(3); times > 0; times--) {
        await changes(host);
        host.ready();
        await host.asks();
      }
    },
  },
  {
    name: "source set and set back",
    number: 2,
    ...ofSources,
    run: async (host) => {
      host.transcript.did(sourcesOf(host).flickers(host.session, host.chance, host.word("e")));
      host.ready();
      await host.asks();
    },
  },
  {
    name: "source cleared",
    number: 2,
    ...ofSources,
    run: async (host) => {
      await changes(host);
      host.ready();
      await host.asks();
      host.transcript.did(await sourcesOf(host).clears(host.session, host.chance));
      host.ready();
      await host.asks();
    },
  },
  {
    name: "retry after a source changed",
    number: 3,
    ...ofSources,
    run: async (host) => {
      host.ready();
      await host.sends(await host.prepares());
      await changes(host);
      host.transcript.did("retry");
      await host.asks();
    },
  },
  {
    name: "source changes while a loop is open",
    number: 2,
    ...ofSources,
    run: async (host) => {
      await host.opensLoop();
      await changes(host);
      host.ready();
      await host.asks();
      if (!endsInReply(host.history)) await host.finishesTurn();
    },
  },
  {
    name: "time passes",
    number: 15,
    mayBreak: [],
    whenOwned: true,
    run: async (host) => {
      const minutes = host.chance.pick([1, 6, 61, 1_500]);
      host.clock.advance(minutes * 60_000);
      host.transcript.did(`${minutes} minutes pass`);
      host.ready();
      await host.asks();
    },
  },
];

function speaks({ sources }: Host["traits"]): boolean {
  return sources === "all";
}

function sourcesOf({ sources }: Host): SoakSources {
  if (sources === undefined) throw new TypeError("A behaviour of sources has to say so: onlyIf: speaks.");
  return sources;
}

async function changes(host: Host): Promise<void> {
  host.transcript.did(await sourcesOf(host).changes(host.session, host.chance, host.word("e")));
}
