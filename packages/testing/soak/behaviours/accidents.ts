import { TidemarkError } from "@tidemark/core";
import type { Behaviour } from "../behaviour.ts";
import { SoakFailure } from "../failure.ts";
import { clone, type Message } from "../history.ts";
import type { Host } from "../host.ts";

/** Things that go wrong, and hosts that share (20, 21, 23). */
export const accidents: readonly Behaviour[] = [
  {
    name: "prepared request written to",
    number: 20,
    mayBreak: [],
    needs: "session",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const prepared = await host.prepares();
      const answer = await host.sends(prepared);
      writeTo(host, prepared.handed.request);
      host.transcript.did("write to the prepared request");
      host.keeps(prepared, answer);
      host.ready();
      await host.asks();
    },
  },
  {
    name: "aborted",
    number: 21,
    mayBreak: [],
    needs: "session",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      await changesNothing(host, "an aborted prepare", (request) =>
        host.session.prepare(request, { signal: AbortSignal.abort(new Error("stop")) }),
      );
      await host.asks();
    },
  },
  {
    name: "aborted while waiting",
    number: 21,
    mayBreak: [],
    needs: "session",
    run: async (host) => {
      host.ready();
      const leaving = new AbortController();
      const first = host.prepares();
      const second = host.session.prepare(host.request(), { signal: leaving.signal });
      leaving.abort(new Error("stop"));
      const outcome = await second.then(
        () => "prepared",
        (error: Error) => error.message,
      );
      if (outcome !== "stop") throw new SoakFailure("abort ignored", `a waiting prepare that was aborted: ${outcome}`);
      host.transcript.did("abort a second prepare that waits");
      const prepared = await first;
      host.keeps(prepared, await host.sends(prepared));
    },
  },
  {
    name: "aborted in the midst",
    number: 21,
    mayBreak: [],
    needs: "session",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const before = withoutFailures(host);
      const leaving = new AbortController();
      const reason = new Error("stop");
      const preparing = host.prepares(leaving.signal).catch((error) => (error === reason ? undefined : Promise.reject(error)));
      for (let awaits = host.chance.below(40); awaits > 0; awaits--) await Promise.resolve();
      leaving.abort(reason);
      const prepared = await preparing;
      host.transcript.did(prepared === undefined ? "abort in the midst" : "abort behind the end");
      if (prepared === undefined && withoutFailures(host) !== before)
        throw new SoakFailure("trace of a failure", "an aborted prepare changed the session (rule 46)");
      await host.asks();
    },
  },
  {
    name: "prepare refused",
    number: 21,
    mayBreak: [],
    needs: "session",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const bad = host.chance.pick(host.side.has.has("own-objects") ? badMessages : badValues);
      await changesNothing(host, "a refused prepare", (request) =>
        host.session.prepare({ ...request, [host.side.list]: [...listOf(host, request), bad()] }),
      );
      await host.opensLoop();
      if (host.side.wire.abilities.refusesPendingCalls)
        await changesNothing(host, "a prepare with pending calls", (request) => host.session.prepare(request));
      host.ready();
      await host.asks();
    },
  },
  {
    name: "reply cut",
    number: 21,
    mayBreak: [],
    needs: "session",
    whenOwned: true,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      const prepared = await host.prepares();
      const { reply } = await host.sends(prepared, { calls: 0 });
      const settled = prepared.handed.settle(host.side.cut(reply));
      if (settled?.recorded) throw new SoakFailure("cut reply recorded", "an unfinished reply was recorded (rule 6)");
      host.transcript.did("the reply is cut");
      if (host.traits.history === "full" && host.chance.happens(0.5)) {
        host.say({ role: "assistant", content: [{ type: "text", text: `${host.word("a")} cut of` }] });
        host.userSays("go on");
      }
      await host.asks();
    },
  },
  {
    name: "reply refused",
    number: 21,
    mayBreak: ["history"],
    whenOwned: true,
    run: async (host) => {
      const { refusal } = host.side;
      if (refusal === undefined) return false;
      await host.finishesTurn();
      host.userSays();
      const prepared = await host.prepares();
      const { reply } = await host.sends(prepared, { parts: [{ text: "I cannot" }], stop: refusal });
      if (host.traits.settles !== "never") prepared.handed.settle(reply);
      host.transcript.did("the model refuses; the user says it otherwise");
      if (host.traits.history === "full") host.history.pop();
      host.userSays("otherwise");
      await host.asks();
      return true;
    },
  },
  {
    name: "reply malformed",
    number: 21,
    mayBreak: [],
    needs: "session",
    whenOwned: true,
    run: async (host) => {
      host.ready();
      const prepared = await host.prepares();
      const error = await host.fails(prepared, 529);
      for (const reply of [error, {}, { role: "assistant", content: "text" }]) {
        await changesNothing(host, "a malformed reply", async () => prepared.handed.settle(reply));
      }
      host.keeps(prepared, await host.sends(prepared));
    },
  },
  {
    name: "two histories in turn",
    number: 23,
    mayBreak: ["history"],
    run: async (host) => {
      await host.finishesTurn();
      const own = { history: host.history, forgotten: host.forgotten, branches: host.branches };
      const other: Message[] = [];
      for (let times = 1 + host.chance.below(2); times > 0; times--) {
        Object.assign(host, { history: other, forgotten: [] });
        host.transcript.did("another history on this session");
        host.ready();
        await host.asks({ calls: 0 });
        Object.assign(host, own);
        host.transcript.did("the first history again");
        host.ready();
        await host.asks({ calls: 0 });
      }
    },
  },
  {
    name: "fork",
    number: 23,
    mayBreak: [],
    needs: "session",
    run: async (host) => {
      await host.finishesTurn();
      const { session, last, history, forgotten, saves, unread } = host;
      Object.assign(host, { session: session.fork(), history: clone(history), saves: [] });
      host.transcript.did("fork");
      host.userSays("to the sub-agent");
      await host.asks();
      host.ready();
      await host.asks();
      Object.assign(host, { session, last, history, forgotten, saves, unread });
      host.transcript.did("back to the parent");
      host.ready();
      await host.asks();
    },
  },
];

/** Values that are no JSON, whatever the wire. */
const badValues: readonly (() => object)[] = [
  () => {
    const circle: { role: string; content: object[] } = { role: "user", content: [] };
    circle.content.push(circle);
    return circle;
  },
  () => ({ role: "user", content: [{ type: "image", source: { data: 1n } }] }),
];

const badMessages: readonly (() => object)[] = [
  ...badValues,
  () => ({ role: "robot", content: "beep" }),
  () => ({ role: "user" }),
  () => ({ role: "user", content: [{ type: "text", text: 7 }] }),
];

/** What a session holds, but for the count of a summariser's failures: one that failed before the abort did fail. */
function withoutFailures({ session }: Host): string {
  const { sum: _sum, overflow, ...rest } = session.snapshot();
  return JSON.stringify({ ...rest, asked: overflow?.asked, pins: overflow?.pins ?? [], folds: overflow?.folds ?? {} });
}

/** Rule 46: what fails leaves no trace. */
async function changesNothing(host: Host, what: string, act: (request: object) => Promise<unknown>): Promise<void> {
  const before = JSON.stringify(host.session.snapshot());
  const request = host.request();
  const outcome = await act(request).then(
    () => undefined,
    (error: Error) => error,
  );
  host.transcript.did(`${what}: ${outcome?.message ?? "goes through"}`);
  if (outcome === undefined) throw new SoakFailure("no error", `${what} went through`);
  if (!(outcome instanceof TidemarkError) && outcome.message !== "stop")
    throw new SoakFailure("untyped error", `${what}: ${outcome.stack}`);
  if (JSON.stringify(host.session.snapshot()) !== before)
    throw new SoakFailure("trace of a failure", `${what} changed the session (rule 46)`);
}

function listOf({ side }: Host, request: object): readonly object[] {
  return (request as Record<string, readonly object[]>)[side.list] ?? [];
}

/** Rule 3: its messages are frozen all the way down; the list is the host's. */
function writeTo(host: Host, request: object): void {
  const messages = listOf(host, request);
  const [message] = host.side.read(request).native;
  const [tool] = host.side.read(request).tools;
  const writes: readonly [string, () => void][] = [
    ["a message", () => Object.assign(message as object, { role: "robot" })],
    ...Object.entries(message as object).flatMap(([name, inside]): [string, () => void][] =>
      typeof inside === "object" && inside !== null ? [[`its ${name}`, () => Object.assign(inside, { 0: {} })]] : [],
    ),
    ["a tool", () => Object.assign(tool as object, { name: "other" })],
  ];
  for (const [what, write] of writes) {
    try {
      write();
    } catch (error) {
      if (error instanceof TypeError) continue;
      throw error;
    }
    throw new SoakFailure("not frozen", `${what} of the prepared request could be written to (rule 3)`);
  }
  try {
    (messages as object[]).length = 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
