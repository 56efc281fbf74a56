import { describe, expect, test } from "vitest";
import { anthropicSpeaker, text, thinking } from "../../test/speakers.ts";
import { allOf, bytes, Talk } from "../../test/talk.ts";
import { anthropic } from "../adapters/anthropic/index.ts";
import { createSession } from "./create-session.ts";
import { Queue } from "./queue.ts";

/** A task that ends when it is told to. */
function held(): { readonly task: () => Promise<string>; readonly end: (value: string) => void; readonly begun: () => boolean } {
  let begun = false;
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    task: () => {
      begun = true;
      return promise;
    },
    end: resolve,
    begun: () => begun,
  };
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("calls on one session (rule 45)", () => {
  test("run one at a time, in order", async () => {
    const queue = new Queue();
    const [first, second] = [held(), held()];
    const ends: string[] = [];
    const runs = [first, second].map((item) => queue.run(item.task, undefined).then((value) => ends.push(value)));
    await turnOfTheLoop();
    expect([first.begun(), second.begun(), queue.busy]).toEqual([true, false, true]);
    second.end("second");
    await turnOfTheLoop();
    expect(ends).toEqual([]);
    first.end("first");
    await Promise.all(runs);
    expect(ends).toEqual(["first", "second"]);
    expect(queue.busy).toBe(false);
  });

  test("go on behind one that failed", async () => {
    const queue = new Queue();
    const failed = queue.run(() => Promise.reject(new Error("no")), undefined);
    const next = queue.run(() => "yes", undefined);
    await expect(failed).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });

  test("that wait reject at once when they are aborted, with the signal's own reason, and never run (rule 44)", async () => {
    const queue = new Queue();
    const [first, second] = [held(), held()];
    const running = queue.run(first.task, undefined);
    const abort = new AbortController();
    const waiting = queue.run(second.task, abort.signal);
    const reason = new Error("the user left");
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    first.end("first");
    await running;
    await turnOfTheLoop();
    expect(second.begun()).toBe(false);
    await expect(queue.run(() => "third", undefined)).resolves.toBe("third");
  });

  test("that come aborted reject at once", async () => {
    const queue = new Queue();
    await expect(queue.run(() => "never", AbortSignal.abort("gone"))).rejects.toBe("gone");
    expect(queue.busy).toBe(false);
  });

  test("that have begun end as they end: an abort right behind what they published does not reject them (rule 46)", async () => {
    const queue = new Queue();
    const abort = new AbortController();
    const run = queue.run(() => {
      queueMicrotask(() => abort.abort("too late"));
      return "published";
    }, abort.signal);
    await expect(run).resolves.toBe("published");
  });

  test("leave no listener on the signal", async () => {
    const queue = new Queue();
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<typeof add>): void => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>): void => {
      listeners -= 1;
      remove(...given);
    };
    await queue.run(() => "done", signal);
    await turnOfTheLoop();
    expect(listeners).toBe(0);
  });
});

describe("prepares that wait (rule 45)", () => {
  test("work on the history as it was when they were called", async () => {
    const talk = new Talk();
    const messages: { role: string; content: unknown }[] = [anthropicSpeaker.user("one") as never];
    const request = { model: anthropicSpeaker.model, max_tokens: 9, messages };
    const first = talk.session.prepare(request);
    const second = talk.session.prepare(request);
    (messages[0] as { content: unknown }).content = "changed meanwhile";
    messages.push(anthropicSpeaker.user("added meanwhile") as never);
    await first;
    expect(bytes(await second)).toEqual([JSON.stringify({ role: "user", content: [text("one")] })]);
  });

  test("come out in their order, each judged against the one before", async () => {
    const talk = new Talk();
    const one = anthropicSpeaker.user("one");
    const turns = await Promise.all(
      [[one], [one, anthropicSpeaker.user("two")]].map((messages) => talk.session.prepare(talk.request({ messages }))),
    );
    expect(turns.map(({ number }) => number)).toEqual([1, 2]);
    expect(turns[1]?.continuity).toMatchObject({ kept: 1, appended: 1 });
  });

  test("that are aborted leave the session as it was (rule 46)", async () => {
    const talk = new Talk();
    await talk.ask("one");
    talk.answer([thinking("first"), text("1")]);
    const before = JSON.stringify(talk.session.snapshot());
    const abort = new AbortController();
    talk.history.push(anthropicSpeaker.user("two"));
    const waiting = talk.session.prepare(talk.request(), { signal: abort.signal });
    abort.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    await turnOfTheLoop();
    expect(JSON.stringify(talk.session.snapshot())).toBe(before);
    expect(allOf(await talk.send())).toContain("first");
  });
});

test("a request that is no JSON rejects, also while other calls wait", async () => {
  const session = createSession({ wire: anthropic() });
  const request = { model: "claude-opus-5-5", max_tokens: 64, messages: [{ role: "user" as const, content: "Hello." }] };
  const circle: { role: "user"; content: object[] } = { role: "user", content: [] };
  circle.content.push(circle);
  const first = session.prepare(request);
  // Whatever it throws, it throws into the promise.
  const second = session.prepare({ ...request, messages: [...request.messages, circle as never] });
  await expect(second).rejects.toMatchObject({ code: "value-cycle" });
  await first;
});
