import type { Behaviour } from "../behaviour.ts";
import { blocksOf, clone, holdsResult, isThinking, type Message, replies, userTurns } from "../history.ts";
import type { Host } from "../host.ts";

/** Changing what was said (7 to 9, 16). */
export const edits: readonly Behaviour[] = [
  {
    name: "truncate and edit",
    number: 7,
    mayBreak: ["history"],
    run: async (host) => {
      await severalTurns(host, 2);
      truncate(host);
      await host.asks();
    },
  },
  {
    name: "return to a branch",
    number: 7,
    mayBreak: ["history"],
    run: async (host) => {
      await severalTurns(host, 2);
      if (host.branches.length === 0) {
        truncate(host);
        await host.asks();
      }
      for (let times = host.chance.happens(0.5) ? 2 : 1; times > 0; times--) {
        const branch = host.branches.pop() as Host["branches"][number];
        host.branches.push(branchOf(host));
        Object.assign(host, branch);
        host.transcript.did(`back to the branch of ${branch.history.length} messages`);
        host.ready();
        await host.asks();
      }
    },
  },
  {
    name: "edit in place",
    number: 8,
    mayBreak: ["history"],
    run: async (host) => {
      await severalTurns(host, 2);
      await host.finishesTurn();
      editUserTurn(host);
      host.ready();
      await host.asks();
    },
  },
  {
    name: "edit in a loop",
    number: 8,
    mayBreak: ["history"],
    run: async (host) => {
      await severalTurns(host, 2);
      await host.opensLoop();
      editUserTurn(host);
      host.ready();
      await host.asks();
      if (host.chance.happens(0.5)) await host.finishesTurn();
    },
  },
  {
    name: "clear results",
    number: 9,
    mayBreak: ["history"],
    run: async (host) => {
      await severalResults(host, 3);
      await host.finishesTurn();
      return clearResults(host);
    },
  },
  {
    name: "clear results in a loop",
    number: 9,
    mayBreak: ["history"],
    run: async (host) => {
      await severalResults(host, 2);
      await host.opensLoop();
      return clearResults(host);
    },
  },
  {
    name: "prune reasoning",
    number: 16,
    mayBreak: [],
    run: async (host) => {
      await severalTurns(host, 2);
      for (let times = 1 + host.chance.below(3); times > 0; times--) {
        const last = replies(host.history).at(-1);
        for (const at of replies(host.history)) if (at !== last) dropThinking(host.history[at] as Message);
        host.transcript.did("prune reasoning from all but the last reply");
        host.ready();
        await host.asks();
      }
    },
  },
];

async function severalTurns(host: Host, count: number): Promise<void> {
  while (userTurns(host.history).length < count) {
    await host.finishesTurn();
    host.userSays();
    await host.asks();
  }
}

async function severalResults(host: Host, count: number): Promise<void> {
  while (clearable(host.history).length < count) {
    await host.opensLoop();
    host.ready();
    await host.asks();
  }
}

function branchOf({ history, forgotten }: Host): Host["branches"][number] {
  return { history: clone(history), forgotten };
}

/** The user goes back to an earlier turn and says something else there. */
function truncate(host: Host): void {
  const at = host.chance.pick(userTurns(host.history));
  host.branches.push(branchOf(host));
  host.history.length = at;
  host.transcript.did(`truncate at message ${at}`);
  host.userSays();
}

/** An earlier user turn gets other words, where it stands. */
export function editUserTurn(host: Host): void {
  const turns = userTurns(host.history);
  const at = host.chance.pick(turns.length > 1 ? turns.slice(0, -1) : turns);
  const message = host.history[at] as Message;
  const text = `${host.word("u")} (edited)`;
  message.content = typeof message.content === "string" ? text : [{ type: "text", text }];
  host.transcript.did(`edit message ${at}: ${text}`);
}

function clearable(history: readonly Message[]): readonly number[] {
  return history.flatMap((message, at) => (holdsResult(message) && blocksOf(message).some(isUncleared) ? [at] : []));
}

function isUncleared(block: { readonly type: string; readonly content?: unknown }): boolean {
  return block.type === "tool_result" && block.content !== "[cleared]";
}

/** The oldest results go, one more each step. */
async function clearResults(host: Host): Promise<boolean> {
  for (let times = 1 + host.chance.below(3); times > 0; times--) {
    const [at] = clearable(host.history).slice(0, -1);
    if (at === undefined) return false;
    for (const block of blocksOf(host.history[at] as Message)) if (isUncleared(block)) block.content = "[cleared]";
    host.transcript.did(`clear the results in message ${at}`);
    host.ready();
    await host.asks();
  }
  return true;
}

function dropThinking(message: Message): void {
  if (typeof message.content === "string") return;
  const visible = message.content.filter((block) => !isThinking(block));
  if (visible.length > 0) message.content = visible;
}
