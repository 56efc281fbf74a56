import type { Landing } from "@tidemark/core";
import type { Behaviour } from "../behaviour.ts";
import { roomTool } from "../conversation.ts";
import { clone, endsInReply, type Message, openCalls } from "../history.ts";
import type { Host } from "../host.ts";
import { asksByTool } from "../strategies.ts";
import { wordsOf } from "../words.ts";
import { editUserTurn } from "./edits.ts";

/** What hosts do with windows that were cut, and what they ask of whoever cuts them (18). */
export const landings: readonly Behaviour[] = [
  {
    name: "much is said",
    number: 18,
    mayBreak: [],
    onlyIf: isCut,
    run: async (host) => {
      for (let times = 3 + host.chance.below(3); times > 0; times--) {
        host.ready();
        await host.asks();
      }
    },
  },
  {
    name: "much is said, and something edited under a job",
    number: 18,
    mayBreak: ["history"],
    onlyIf: ({ overflow }) => overflow.startsWith("background"),
    run: async (host) => {
      for (let times = 2 + host.chance.below(3); times > 0; times--) {
        host.ready();
        await host.asks();
        if (!host.chance.happens(0.5)) continue;
        await host.finishesTurn();
        editUserTurn(host);
      }
      host.ready();
      await host.asks();
    },
  },
  {
    name: "room asked for",
    number: 18,
    mayBreak: [],
    needs: "session",
    onlyIf: isCut,
    run: async (host) => {
      host.session.compact();
      host.transcript.did("compact()");
      host.ready();
      await host.asks();
    },
  },
  {
    name: "the model asks for room",
    number: 18,
    mayBreak: [],
    needs: "session",
    onlyIf: ({ overflow }) => asksByTool(overflow),
    run: async (host) => {
      host.ready();
      const notes = { notes: host.word("c") };
      await host.asks({ parts: [{ call: { name: roomTool.name, input: notes } }] });
      const outcome = await host.session.tools.call(roomTool.name, notes);
      const [call] = openCalls(host.history);
      host.say({ role: "user", content: [{ ...host.result(call?.id), content: `${host.word("r")} ${outcome?.text}` }] });
      await host.asks();
    },
  },
  {
    name: "replacement of a landing stored",
    number: 18,
    mayBreak: [],
    needs: "session",
    onlyIf: isCut,
    run: async (host) => {
      const landing = await nextLanding(host);
      if (landing?.replaces === undefined) return false;
      const { from, to } = landing.replaces;
      // Positions count the messages of the wire, its head among them where that is one of them.
      const { lead, messages } = host.side.read(host.side.request(host.asking()));
      host.history = [...messages.slice(0, from - lead), ...messagesOf(host, landing), ...messages.slice(to - lead)];
      host.transcript.did(`store the replacement of messages ${from} to ${to}`);
      host.ready();
      await host.asks();
      host.ready();
      await host.asks();
      return true;
    },
  },
  {
    name: "landing revoked",
    number: 18,
    mayBreak: ["history"],
    needs: "session",
    onlyIf: isCut,
    run: async (host) => {
      const landing = host.session.landings.at(-1);
      if (landing?.replaces === undefined || openCalls(host.history).length > 0) return false;
      try {
        host.session.revoke(landing.number);
      } catch {
        // A newer one has taken its place.
        return false;
      }
      host.revoked = true;
      host.transcript.did(`revoke landing ${landing.number}`);
      host.ready();
      await host.asks();
      return true;
    },
  },
  {
    name: "message pinned",
    number: 18,
    mayBreak: [],
    needs: "session",
    onlyIf: isCut,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays("keep this");
      const unpin = host.session.pin(nativeOf(host, host.history.at(-1) as Message));
      const pinned = wordsOf([host.history.at(-1) as Message]);
      for (const word of pinned) host.pinned.add(word);
      host.transcript.did("pin");
      await host.asks();
      for (let times = 3; times > 0; times--) {
        host.ready();
        await host.asks();
      }
      unpin();
      for (const word of pinned) host.pinned.delete(word);
      if (endsInReply(host.history)) host.userSays();
    },
  },
];

function isCut({ overflow }: Host["traits"]): boolean {
  return overflow !== "none";
}

/** Goes on until a landing of a part of the history, some requests at most. */
async function nextLanding(host: Host): Promise<Landing | undefined> {
  const before = host.session.landings.length;
  for (let times = 8; times > 0; times--) {
    const landing = host.session.landings[before];
    if (landing !== undefined) return landing;
    host.ready();
    await host.asks();
  }
  return host.session.landings[before];
}

function messagesOf(host: Host, { replacement }: Landing): readonly Message[] {
  const { side } = host;
  const request = side.request({ ...host.asking(), messages: [] });
  return side.read({ ...request, [side.list]: [...listOf(host, request), ...replacement] }).messages.map(clone);
}

/** A message as the host hands it over. */
function nativeOf(host: Host, message: Message): object {
  return listOf(host, host.side.request({ ...host.asking(), messages: [message] })).at(-1) as object;
}

function listOf({ side }: Host, request: object): readonly object[] {
  return (request as Record<string, readonly object[]>)[side.list] ?? [];
}
