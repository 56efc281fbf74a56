import type { Checkpoint } from "@tidemark/core";
import { convertToModelMessages, type ModelMessage, readUIMessageStream, streamText, type UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { withTidemark } from "../src/index.ts";
import { breaks, claude, type Host, hosts, named, refused, repliesIn, thinkingCount, tools, turnOf, type Way, working } from "./hosts.ts";

const ways: readonly Way[] = ["generate", "stream"];

describe.each(hosts.map((host) => [host.name, host] as const))("%s", (_name, host: Host) => {
  describe.each(ways)("%s", (way) => {
    it("extends its prompt in the loop and over turns, keeps its reasoning, and shows the provider nothing of Tidemark", async () => {
      const sim = host.simulate(working(4));
      const checkpoints: Checkpoint[] = [];
      const model = withTidemark(host.model(sim), { onCheckpoint: (checkpoint) => checkpoints.push(checkpoint) });
      const history: ModelMessage[] = [];
      for (const question of ["Read a.ts.", "Read b.ts.", "Read c.ts."]) {
        const before = structuredClone(history);
        await turnOf(model, history, question, { way, ...named("one") });
        expect(history.slice(0, before.length)).toEqual(before);
      }
      expect(sim.requests).toHaveLength(12);
      expect(refused(sim)).toEqual([]);
      expect(breaks(sim, host.wire)).toEqual([]);
      expect(checkpoints).toEqual([]);
      expect(thinkingCount(sim)).toBe(host.reasons ? 11 : 0);
      expect(sim.requests.filter(({ text, headers }) => /tidemark/i.test(text + JSON.stringify(headers)))).toEqual([]);
    });

    it("sends the same bytes again when the provider was overloaded", async () => {
      let failures = 0;
      const sim = host.simulate((request, position) => {
        if (position === 1 || position === 2) {
          failures += 1;
          return { error: { status: 529 } };
        }
        return working(3)(request, position - failures);
      });
      const history: ModelMessage[] = [];
      const model = withTidemark(host.model(sim));
      await turnOf(model, history, "Read a.ts.", { way, ...named("one") });
      await turnOf(model, history, "Read b.ts.", { way, ...named("one") });
      expect(sim.requests.map(({ status }) => status).slice(0, 4)).toEqual([200, 529, 529, 200]);
      expect(sim.requests[2]?.text).toBe(sim.requests[1]?.text);
      expect(sim.requests[3]?.text).toBe(sim.requests[1]?.text);
      expect(breaks(sim, host.wire)).toEqual([]);
    });

    it("keeps conversations apart that run at once on one model, whether or not they have names", async () => {
      for (const name of [(index: number) => named(`conversation ${index}`), () => ({})]) {
        const sim = host.simulate((request, position) => {
          const replies = repliesIn(request);
          const said = working(3)({}, replies);
          return { ...(said as object), thinking: `Thought ${replies} at ${position}.` };
        });
        const checkpoints: Checkpoint[] = [];
        const model = withTidemark(host.model(sim), { onCheckpoint: (checkpoint) => checkpoints.push(checkpoint) });
        const histories: ModelMessage[][] = [[], [], []];
        await Promise.all(histories.map((history, index) => turnOf(model, history, "Read a.ts.", { way, ...name(index) })));
        await Promise.all(histories.map((history, index) => turnOf(model, history, `Now ${index}.`, { way, ...name(index) })));
        await Promise.all(histories.map((history, index) => turnOf(model, history, `And ${index}.`, { way, ...name(index) })));
        expect(refused(sim)).toEqual([]);
        expect(checkpoints).toEqual([]);
        for (const index of histories.keys()) {
          const own = sim.requests.filter(({ text }) => text.includes(`Now ${index}.`));
          expect(own).toHaveLength(6);
          expect(breaks(sim, host.wire, own)).toEqual([]);
          expect(own.at(-1)?.text).not.toContain(`Now ${(index + 1) % 3}.`);
        }
      }
    });
  });

  it("settles nothing of a stream that is aborted, and the next request goes on", async () => {
    const sim = host.simulate((request, position) => working(2)(request, position > 2 ? position - 1 : position));
    const model = withTidemark(host.model(sim));
    const history: ModelMessage[] = [];
    await turnOf(model, history, "Read a.ts.", { way: "stream", ...named("one") });
    const leaving = new AbortController();
    const messages: ModelMessage[] = [...history, { role: "user", content: "Read b.ts." }];
    const result = streamText({ model, tools, instructions: "You read files.", messages, abortSignal: leaving.signal, ...named("one") });
    for await (const part of result.fullStream) if (part.type === "text-delta") leaving.abort();
    expect(sim.requests).toHaveLength(3);
    await turnOf(model, history, "Read c.ts.", { way: "stream", ...named("one") });
    expect(refused(sim)).toEqual([]);
    const whole = sim.requests.filter((_request, index) => index !== 2);
    expect(breaks(sim, host.wire, whole)).toEqual([]);
  });

  it.each([true, false])(
    "continues from UI messages, or says which result was lost without their tools (with tools: %s)",
    async (knowsTools) => {
      const sim = host.simulate(working(3));
      const checkpoints: Checkpoint[] = [];
      const model = withTidemark(host.model(sim), { onCheckpoint: (checkpoint) => checkpoints.push(checkpoint) });
      const ui: UIMessage[] = [];
      for (const [index, question] of ["Read a.ts.", "Read b.ts."].entries()) {
        ui.push({ id: `user-${index}`, role: "user", parts: [{ type: "text", text: question }] });
        const messages = await convertToModelMessages(structuredClone(ui), knowsTools ? { tools } : {});
        const result = streamText({ model, tools, instructions: "You read files.", messages, stopWhen: () => false, ...named("one") });
        let last: UIMessage | undefined;
        for await (const message of readUIMessageStream({ stream: result.toUIMessageStream({ sendReasoning: true }) })) last = message;
        if (last !== undefined) ui.push({ ...structuredClone(last), id: `assistant-${index}` });
      }
      expect(sim.requests).toHaveLength(6);
      expect(refused(sim)).toEqual([]);
      if (knowsTools) {
        expect(breaks(sim, host.wire)).toEqual([]);
        expect(checkpoints).toEqual([]);
      } else {
        expect(breaks(sim, host.wire)).toHaveLength(1);
        expect(checkpoints.map(({ reason }) => reason)).toEqual(["history"]);
        expect(checkpoints[0]?.path).toMatch(/^\$\.prompt\[3\]\.content\[1\]\.output/);
      }
    },
  );
});

it("carries on through sixty steps with thinking that is bound to its prefix", async () => {
  const sim = claude.simulate(working(60));
  const model = withTidemark(claude.model(sim));
  await turnOf(model, [], "Read everything.", named("one"));
  expect(sim.requests).toHaveLength(60);
  expect(refused(sim)).toEqual([]);
  expect(sim.requests.filter(({ text }) => text.includes("block_binding"))).toEqual([]);
  expect(thinkingCount(sim)).toBe(59);
});
