import { TidemarkError } from "@tidemark/core";
import type { Behaviour } from "../behaviour.ts";
import { blocksOf, clone, isBlank, isThinking, type Message } from "../history.ts";
import type { Host } from "../host.ts";

/** Processes that come and go, and turns made elsewhere (12, 13, 21). */
export const restarts: readonly Behaviour[] = [
  {
    name: "restore",
    number: 12,
    mayBreak: [],
    needs: "snapshots",
    whenOwned: true,
    run: async (host) => {
      host.restores(host.save());
      host.transcript.did("restore from the latest snapshot");
      host.ready();
      await host.asks();
    },
  },
  {
    name: "restore, stale",
    number: 12,
    mayBreak: ["history", "ledger"],
    needs: "snapshots",
    // Which dropped start an old window still knows is beyond the soak's own model.
    onlyIf: ({ trims }) => trims === "obey",
    run: async (host) => {
      while (host.saves.length === 0) {
        host.saves.push(host.save());
        host.ready();
        await host.asks();
      }
      const back = Math.min(host.saves.length, 1 + host.chance.below(4));
      host.restores(host.saves.at(-back) as Host["saves"][number]);
      host.transcript.did(`restore from a snapshot ${back} back`);
      host.ready();
      await host.asks();
      host.ready();
      await host.asks();
    },
  },
  {
    name: "no ledger",
    number: 12,
    mayBreak: ["ledger"],
    run: async (host) => {
      await host.forgets();
      host.transcript.did("a new session over the history");
      host.ready();
      await host.asks();
    },
  },
  {
    name: "start over",
    number: 12,
    mayBreak: ["ledger"],
    needs: "snapshots",
    whenOwned: true,
    run: async (host) => {
      host.session.restart();
      host.restarted = true;
      host.forgetsWhatItDropped();
      host.transcript.did("restart()");
      if (host.chance.happens(0.3)) {
        host.restores({ ...host.save() });
        host.restarted = true;
      }
      host.ready();
      await host.asks();
    },
  },
  {
    name: "outside turn",
    number: 13,
    mayBreak: [],
    run: async (host) => {
      await host.finishesTurn();
      host.userSays("outside");
      const answer = await host.asksOutside(withoutThinking(host.history), { calls: 0 });
      if (answer === undefined) {
        host.history.pop();
        host.transcript.came("refused outside");
        return false;
      }
      host.stores(answer.content);
      host.ready();
      await host.asks();
    },
  },
  {
    name: "crash before settle",
    number: 21,
    mayBreak: ["history"],
    needs: "snapshots",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const prepared = await host.prepares();
      const answer = await host.sends(prepared);
      host.restores(host.save());
      host.transcript.did("crash, restore");
      if (host.chance.happens(0.5)) {
        if (host.traits.settles !== "never" && !settledLate(host, answer.reply)) return false;
        prepared.window.fate.reply = host.traits.settles === "never" ? undefined : answer.content;
        host.stores(answer.content);
        host.ready();
      }
      await host.asks();
    },
  },
];

/** A restored session can settle the turn that it had open, if it is the only one. */
function settledLate(host: Host, reply: object): boolean {
  try {
    host.session.settle(reply);
    return true;
  } catch (error) {
    if (error instanceof TidemarkError && error.code === "ambiguous-settle") return false;
    throw error;
  }
}

function withoutThinking(history: readonly Message[]): readonly Message[] {
  const visible = clone(history).map((message) => ({
    ...message,
    content: blocksOf(message).filter((block) => !isThinking(block) && !isBlank(block)),
  }));
  return visible.filter(({ content }) => content.length > 0);
}
