import type { ObjectValue } from "@tidemark/core";
import { expect } from "vitest";
import { ContractHost, sentMessages, unitsOf } from "./host.ts";
import { promise } from "./promises.ts";
import { spoken } from "./replay.ts";
import type { WireSubject } from "./subject.ts";

const modes = ["automatic", "planned", "off"] as const;

export function carryingPromises(subject: WireSubject): void {
  const { wire } = subject;
  /** What is left of a request when nobody looks at its marks. */
  const unmarked = (request: object) => {
    const { head, messages } = wire.open(request);
    return { head, units: unitsOf(subject, messages as readonly ObjectValue[]) };
  };

  promise(subject, "recognised", () => {
    const requests = [subject.request([subject.user("Hello."), ...callingMessages(subject)], subject.model), ...subject.samples.marked];
    for (const request of requests) {
      expect(wire.recognises(request as ObjectValue)).toBe(true);
      const opened = wire.open(request);
      const closed = wire.close(request, opened.head, opened.messages as readonly ObjectValue[]);
      expect(unmarked(closed)).toEqual(unmarked(request));
      expect(Object.keys(closed).toSorted()).toEqual(Object.keys(request).toSorted());
    }
  });

  promise(subject, "marks", async () => {
    for (const cache of modes) {
      const host = new ContractHost(subject, { cache });
      const plain = new ContractHost(subject);
      for (const at of [1, 2, 3]) {
        const [marked, bare] = [await host.ask(`Question ${at}.`), await plain.ask(`Question ${at}.`)];
        expect(unmarked(marked.request), cache).toEqual(unmarked(bare.request));
        for (const each of [host, plain]) each.answer({ reasoning: "Hm.", text: `Answer ${at}.` });
      }
    }
  });

  promise(subject, "hostMarks", () => {
    for (const request of subject.samples.marked) {
      const { head, messages, headMarks, lead } = wire.open(request);
      const readings = (messages as readonly ObjectValue[]).map((message) => wire.read(message));
      expect(headMarks.length + readings.reduce((sum, { marks }) => sum + marks.length, 0)).toBeGreaterThan(0);
      const bare = wire.close(
        request,
        head,
        readings.map(({ nativeRole, units }) => wire.compose(nativeRole, units)),
      );
      const hostMarks = [
        ...headMarks,
        ...readings.flatMap(({ marks }, at) =>
          marks.map(({ unit, mark }) => ({ part: "messages" as const, message: lead + at, block: unit, mark })),
        ),
      ];
      const text = JSON.stringify(bare);
      const again = wire.mark(bare, { mode: "off", ttl: undefined, hostMarks, repeatsTo: -1, lagging: undefined });
      expect(JSON.stringify(bare)).toBe(text);
      expect(unmarked(again)).toEqual(unmarked(request));
      expect(marksIn(subject, again)).toEqual(marksIn(subject, request));
    }
  });

  promise(subject, "unknown", async () => {
    for (const { title, message } of subject.samples.unknown) {
      expect(unitsOf(subject, [compose(subject, message)]), title).toEqual(unitsOf(subject, [message]));
      const host = new ContractHost(subject, { strict: false });
      await host.ask("Begin.");
      if (wire.read(message).role === "assistant") {
        host.history.push(message);
        host.say("Go on.");
      } else {
        host.answer({ text: "Begun." });
        host.history.push(message);
      }
      const turn = await host.send();
      const text = JSON.stringify(sentMessages(subject, turn));
      for (const word of wordsIn(message)) expect(text, title).toContain(JSON.stringify(word));
      for (const { kind, block } of unitsOf(subject, [message]))
        expect(unitsOf(subject, sentMessages(subject, turn)), title).toContainEqual({ kind, block });
    }
  });
}

/** Every name and every text of a value. */
function* wordsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* wordsIn(item);
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* wordsIn(member);
    }
  }
}

function compose({ wire }: WireSubject, message: ObjectValue): ObjectValue {
  const { nativeRole, units } = wire.read(message);
  return wire.compose(nativeRole, units);
}

function marksIn({ wire }: WireSubject, request: object) {
  const { headMarks, messages } = wire.open(request);
  return [headMarks, (messages as readonly ObjectValue[]).map((message) => wire.read(message).marks)];
}

/** A reply with two calls, and their results. */
function callingMessages(subject: WireSubject): readonly ObjectValue[] {
  const reply = subject.wire.readReply(spoken(subject).at(-1)?.reply ?? {});
  const calls = reply.messages.flatMap((message) =>
    subject.wire.read(message).units.flatMap((unit) => (unit.kind === "call" ? [unit] : [])),
  );
  return [...reply.messages, ...subject.results(calls.map(({ id, name }) => ({ id, name, text: "Yes." })))];
}
