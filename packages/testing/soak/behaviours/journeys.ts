import { type ObjectValue, type Repairs, type Session, through, translateHistory } from "@tidemark/core";
import type { Behaviour } from "../behaviour.ts";
import { describeAll } from "../describe.ts";
import { SoakFailure } from "../failure.ts";
import { blocksOf, clone, type Message, signaturesOf } from "../history.ts";
import { asEnd, type Host } from "../host.ts";
import { describe, isLanding } from "../judge.ts";
import { drawReply } from "../model-replies.ts";
import { bytesOf, isPrefix } from "../plain-model.ts";
import { assertTaken, type Provider } from "../provider.ts";
import type { Side } from "../sides/side.ts";
import { sideNamed, sides } from "../sides/table.ts";
import { repairCounts } from "../tally.ts";
import { wordsOf } from "../words.ts";

/** Hosts that go to another provider in mid-conversation, and come back (22, rule 15). */
export const journeys: readonly Behaviour[] = [
  {
    name: "through another wire and back",
    number: 22,
    byNameOnly: true,
    mayBreak: [],
    needs: "snapshots",
    // What a window keeps of a dropped start is told on its own wire.
    onlyIf: ({ trims, wire }) => trims === "obey" && !isChoosy(sideNamed(wire)),
    run: async (host) => {
      const others = sides.filter((side) => placeOf(side) !== placeOf(host.side) && !isChoosy(side));
      // Leading notes are its system text, which is not handed over as messages.
      if (host.history[0]?.role !== "user") return false;
      // What a landing leaves of a window that is elsewhere meanwhile is beyond the plain model so far.
      if (host.traits.overflow !== "none") return false;
      const journey = new Journey(host, host.chance.pick(others));
      if (host.chance.happens(0.3)) {
        host.ready();
        await host.fails(await host.prepares(), 529);
      }
      for (let times = 1 + host.chance.below(2); times > 0; times--) await journey.asks();
      journey.returns();
      host.ready();
      await host.asks();
      return true;
    },
  },
];

/** A stay at another provider, with the host's history in its messages. */
class Journey {
  readonly #host: Host;
  readonly #side: Side;
  readonly #model: string;
  readonly #session: Session;
  readonly #provider: Provider;
  /** What the other provider's host has: all of the history, and of it what was said there. */
  #messages: readonly ObjectValue[];
  #since: ObjectValue[] = [];
  #sent: readonly string[] = [];
  #isCut = false;

  constructor(host: Host, side: Side) {
    this.#host = host;
    this.#side = side;
    this.#model = host.chance.pick(side.models);
    this.#session = through(host.session, side.wire);
    this.#provider = host.providerOf(side);
    this.#messages = [];
    // What it would have taken on trust is not directly behind the last request any more (rule 6).
    if (host.last !== undefined) host.last.fate.restored = true;
    host.transcript.did(`through ${side.name}, ${this.#model}`);
  }

  async asks(): Promise<void> {
    const [host, side] = [this.#host, this.#side];
    const isFirst = this.#sent.length === 0;
    if (isFirst) {
      host.ready();
      const { native } = host.side.read(host.request());
      this.#messages = translateHistory(native as ObjectValue[], { from: host.side.wire, to: side.wire });
    } else this.#says(this.#answer());
    const request = side.request({ ...host.asking(), model: this.#model, messages: [] });
    const list = [...listIn(side, request), ...this.#messages];
    const turn = await this.#session
      .prepare({ ...request, [side.list]: structuredClone(list) })
      .catch((error) => Promise.reject(asEnd(error)));
    const read = side.read(turn.request);
    host.tally.prepared(turn);
    host.transcript.came(`abroad: ${repairsText(turn.repairs)}`);
    host.transcript.came(describeAll(read.messages));
    for (const checkpoint of turn.continuity.checkpoints) host.transcript.came(describe(checkpoint));
    const odd = turn.continuity.checkpoints.filter((checkpoint) => !isLanding(checkpoint) && !(isFirst && checkpoint.reason === "model"));
    if (odd[0] !== undefined) throw new SoakFailure(`abroad ${odd[0].reason}`, `nothing there leads to ${describe(odd[0])}`);
    const bytes = read.native.map(bytesOf);
    const lands = turn.continuity.checkpoints.some(isLanding);
    if (!lands && !isPrefix(this.#sent, bytes))
      throw new SoakFailure("abroad unreported break", "what was sent there before was not repeated");
    this.#isCut ||= lands;
    const said = wordsOf(read.messages);
    const missing = wordsOf([...host.history, ...this.#read(this.#since)]).filter((word) => !said.includes(word) && !host.taken.has(word));
    if (missing.length > 0 && !lands)
      throw new SoakFailure("abroad missing words", `the history says ${missing.join(" ")}, the request does not`);
    for (const word of missing) host.taken.add(word);
    const own = new Set(host.history.flatMap(signaturesOf));
    const foreign = read.messages.flatMap(signaturesOf).find((signature) => own.has(signature));
    if (foreign !== undefined) throw new SoakFailure("abroad foreign reasoning", `${foreign} is for its own provider only (rule 15)`);
    const answer = await this.#provider.answer(
      turn.request,
      turn.headers,
      drawReply({}, { ...this.#speaker(), prose: () => host.prose() }),
    );
    assertTaken(answer, read.messages);
    if (host.traits.settles !== "never") turn.settle(answer.reply);
    this.#sent = bytes;
    const reply = side.wire.readReply(answer.reply).messages as readonly ObjectValue[];
    this.#messages = [...this.#messages, ...structuredClone(reply)];
    this.#since.push(...structuredClone(reply));
  }

  /** The host is back, and has what was said there in its own messages. */
  returns(): void {
    const { side, history } = this.#host;
    const added = translateHistory(this.#since, { from: this.#side.wire, to: side.wire });
    const request = side.request({ ...this.#host.asking(), messages: [] });
    history.push(...side.read({ ...request, [side.list]: [...listIn(side, request), ...clone(added)] }).messages);
    this.#host.transcript.did(`back to ${side.name}: ${describeAll(history)}`);
    this.#host.isBack = this.#isCut ? "cut" : "as it was";
  }

  /** Results of what was called there, or what the user goes on with. */
  #answer(): Message {
    const reply = this.#read(this.#since);
    const calls = reply.flatMap((message) => blocksOf(message).filter(({ type }) => type === "tool_use"));
    if (calls.length === 0) return { role: "user", content: [{ type: "text", text: this.#host.word("u") }] };
    const named = this.#side.has.has("named-results");
    return {
      role: "user",
      content: calls.map(({ id, name }) => ({
        type: "tool_result",
        tool_use_id: id,
        ...(named ? { name } : {}),
        content: this.#host.word("r"),
      })),
    };
  }

  #says(message: Message): void {
    const request = this.#side.request({ ...this.#host.asking(), messages: [] });
    const whole = this.#side.request({ ...this.#host.asking(), messages: [message] });
    const added = listIn(this.#side, whole).slice(listIn(this.#side, request).length);
    this.#messages = [...this.#messages, ...added];
    this.#since.push(...added);
  }

  #read(messages: readonly ObjectValue[]): readonly Message[] {
    const request = this.#side.request({ ...this.#host.asking(), model: this.#model, messages: [] });
    return this.#side.read({ ...request, [this.#side.list]: [...listIn(this.#side, request), ...messages] }).messages;
  }

  #speaker() {
    const { chance, word, tools } = this.#host;
    return { chance, word, tools, side: this.#side };
  }
}

/** Ids of nine letters are Mistral's alone: it takes no call that was made elsewhere (MI-05). */
function isChoosy({ wire: { dialect } }: Side): boolean {
  return dialect === "mistral";
}

/** Routes of one wire are one place: what is sent there is one window. */
function placeOf({ wire: { name, dialect } }: Side): string {
  return `${name} ${dialect}`;
}

function repairsText(repairs: Repairs): string {
  return Object.entries(repairCounts(repairs))
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

function listIn(side: Side, request: object): readonly ObjectValue[] {
  return (request as Record<string, readonly ObjectValue[]>)[side.list] ?? [];
}
