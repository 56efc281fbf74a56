import { expect } from "vitest";
import { ContractHost } from "./host.ts";
import { promise } from "./promises.ts";
import { spoken } from "./replay.ts";
import type { WireSubject } from "./subject.ts";

/** Cuts of a stream's texts, in UTF-16 units: single ones, odd ones, and all at once. */
const pieceUnits = [1, 2, 3, 7, 10_000] as const;

export function replyPromises(subject: WireSubject): void {
  const { wire } = subject;
  const streamed = (events: readonly object[]) => {
    const accumulator = wire.accumulator();
    for (const event of events) accumulator.add(event);
    return accumulator.reply();
  };
  const streamedReplies = spoken(subject);

  promise(subject, "usage", () => {
    for (const { title, reply, usage } of subject.samples.usages) {
      const read = wire.readReply(reply).usage;
      expect(read, title).toEqual(usage);
      const parts = [read.uncached, read.cacheRead ?? 0, read.cacheWrite ?? 0];
      if (read.prompt !== undefined && parts.every((part) => part !== undefined)) {
        expect(
          parts.reduce((sum, part) => sum + part, 0),
          `${title}: the parts of the prompt`,
        ).toBe(read.prompt);
      }
    }
    const figures = subject.samples.usages.map(({ usage }) => usage);
    expect(figures.some(({ prompt, output }) => prompt === undefined && output === undefined)).toBe(true);
  });

  promise(subject, "accumulator", () => {
    for (const { title, reply } of streamedReplies) {
      const whole = wire.readReply(reply);
      for (const units of pieceUnits) {
        const { reply: put, finished } = streamed(subject.stream(reply, units));
        expect(finished, title).toBe(true);
        const { messages, usage } = wire.readReply(put);
        expect(
          messages.flatMap((message) => wire.read(message).units),
          `${title} in pieces of ${units}`,
        ).toEqual(whole.messages.flatMap((message) => wire.read(message).units));
        expect(usage, title).toEqual(whole.usage);
      }
    }
  });

  promise(subject, "unfinished", async () => {
    const reply = streamedReplies.at(-1)?.reply ?? {};
    const events = subject.stream(reply, 5);
    const finishedAt = events.findIndex((_, end) => streamed(events.slice(0, end + 1)).finished);
    expect(finishedAt).toBeGreaterThan(0);
    for (let end = 0; end < events.length; end++) {
      const { reply: put, finished } = streamed(events.slice(0, end));
      expect(finished).toBe(end > finishedAt);
      if (finished) continue;
      const host = new ContractHost(subject);
      const turn = await host.ask("Begin.");
      const isReply = readable(() => wire.readReply(put));
      if (isReply) expect(turn.settle(put).recorded).toBe(false);
      else expect(() => turn.settle(put)).toThrow(expect.objectContaining({ code: "invalid-reply" }));
    }
  });

  promise(subject, "strayEvents", () => {
    const reply = streamedReplies.at(-1)?.reply ?? {};
    const events = subject.stream(reply, 5);
    const strays = [{}, { type: "of_tomorrow", index: 7, delta: { text: "No." } }, { unheard_of: [1] }];
    const put = streamed(events.flatMap((event) => [...strays, event]));
    expect(put).toEqual(streamed(events));
  });

  promise(subject, "overflow", () => {
    for (const { error, says } of subject.samples.overflows) expect(wire.readOverflow(error), JSON.stringify(error)).toEqual(says);
    expect(subject.samples.overflows.some(({ says }) => says !== undefined)).toBe(true);
    for (const error of [undefined, null, 42, {}, new Error("fetch failed"), { status: 429, message: "Too many requests." }])
      expect(wire.readOverflow(error)).toBeUndefined();
  });
}

function readable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
