import { SessionConflictError } from "@tidemark/core";
import type { Behaviour } from "../behaviour.ts";
import { SoakFailure } from "../failure.ts";
import type { Host } from "../host.ts";
import { StoredSession } from "../ways/stored-session.ts";

/** Processes that share a store (23, rule 49). */
export const processes: readonly Behaviour[] = [
  {
    name: "opened by another process",
    number: 23,
    mayBreak: [],
    needs: "store",
    whenOwned: true,
    run: async (host) => {
      await storeOf(host).reopens();
      host.transcript.did("another process opens the session");
      host.ready();
      await host.asks();
    },
  },
  {
    name: "two writers",
    number: 23,
    mayBreak: [],
    needs: "store",
    run: async (host) => {
      const store = storeOf(host);
      await host.session.saved();
      const late = await store.opensAnother();
      host.ready();
      const prepared = await host.prepares();
      const outcome = await late.prepare(host.request()).then(
        () => undefined,
        (error: unknown) => error,
      );
      host.transcript.did("a second process prepares the same session");
      if (!(outcome instanceof SessionConflictError))
        throw new SoakFailure("no conflict", `two processes prepared one session, and the second ${outcome ?? "went through"} (rule 49)`);
      host.keeps(prepared, await host.sends(prepared));
      // The one that lost opens the session again and goes on from what the other one saved.
      await store.reopens();
      host.transcript.did("the second opens it again");
      host.ready();
      await host.asks();
    },
  },
  {
    name: "gone before it settled",
    number: 23,
    mayBreak: ["history"],
    needs: "store",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const prepared = await host.prepares();
      const answer = await host.sends(prepared);
      await storeOf(host).reopens();
      host.transcript.did("the process is gone before it settled");
      if (host.traits.history === "full") {
        prepared.window.fate.reply = answer.content;
        host.stores(answer.content);
        host.ready();
      }
      await host.asks();
    },
  },
];

function storeOf({ way }: Host): StoredSession {
  if (way instanceof StoredSession) return way;
  throw new TypeError("A behaviour of a store has to say so: needs: store.");
}
