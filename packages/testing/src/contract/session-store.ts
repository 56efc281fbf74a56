import { createSession, type SessionStore, type Snapshot } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { describe, expect, test } from "vitest";

/** Snapshots of one session, one request apart: they differ, so that a store which mixes them up is seen. */
async function snapshots(count: number): Promise<readonly Snapshot[]> {
  const session = createSession({ wire: anthropic() });
  const taken: Snapshot[] = [];
  const messages: { role: "user" | "assistant"; content: string }[] = [];
  for (let number = 1; number <= count; number++) {
    messages.push({ role: "user", content: `Question ${number}: \u00e4 \u4e2d \ud83c\udf0a "quoted" \\ \u2028` });
    const turn = await session.prepare({ model: "claude-opus-5-5", max_tokens: 1_000, messages });
    messages.push({ role: "assistant", content: "Yes." });
    turn.settle({ type: "message", role: "assistant", content: [{ type: "text", text: "Yes." }], stop_reason: "end_turn", usage: {} });
    taken.push(session.snapshot());
  }
  return taken;
}

/**
 * Registers the tests that every {@link SessionStore} passes, as a Vitest suite. `make` gives a store that is empty, or one that nobody else writes to; it is called once a test.
 */
export function sessionStoreContract(name: string, make: () => SessionStore | Promise<SessionStore>): void {
  const key = { namespace: "a tenant", session: "s-1" };

  describe(`the contract of a session store: ${name}`, () => {
    test("gives nothing for what was never saved", async () => {
      expect(await (await make()).load(key)).toBeUndefined();
    });

    test("gives back what was saved, to the letter, under the version that the save returned", async () => {
      const store = await make();
      for (const snapshot of await snapshots(3)) {
        const version = await store.save(key, snapshot, (await store.load(key))?.version);
        expect(version).toEqual(expect.any(String));
        expect(await store.load(key)).toEqual({ snapshot, version });
      }
    });

    test("saves only behind the version that is stored, and changes nothing otherwise", async () => {
      const store = await make();
      const [first, second, third] = await snapshots(3);
      const one = await store.save(key, first as Snapshot, undefined);
      expect(await store.save(key, second as Snapshot, undefined)).toBeUndefined();
      const two = await store.save(key, second as Snapshot, one);
      expect(two).not.toBe(one);
      expect(await store.save(key, third as Snapshot, one)).toBeUndefined();
      expect(await store.load(key)).toEqual({ snapshot: second, version: two });
    });

    test("does not take a version for good again that was replaced by the same snapshot", async () => {
      const store = await make();
      const [first] = await snapshots(1);
      const one = await store.save(key, first as Snapshot, undefined);
      const two = await store.save(key, first as Snapshot, one);
      expect(two).toEqual(expect.any(String));
      expect(await store.save(key, first as Snapshot, one)).toBeUndefined();
    });

    test("lets one of many that save at once through", async () => {
      const store = await make();
      const taken = await snapshots(8);
      const versions = await Promise.all(taken.map((snapshot) => store.save(key, snapshot, undefined)));
      const won = versions.findIndex((version) => version !== undefined);
      expect(versions.filter((version) => version !== undefined)).toHaveLength(1);
      expect(await store.load(key)).toEqual({ snapshot: taken[won], version: versions[won] });
    });

    test("keeps tenants apart, whatever their sessions are called", async () => {
      const store = await make();
      const [first, second, third] = await snapshots(3);
      const near = [
        key,
        { namespace: "a tenant\u0000s-1", session: "" },
        { namespace: "a tenant", session: "s-1/2" },
        { namespace: "a tenant/s-1", session: "2" },
      ];
      await store.save(near[0] as typeof key, first as Snapshot, undefined);
      await store.save(near[2] as typeof key, second as Snapshot, undefined);
      await store.save(near[3] as typeof key, third as Snapshot, undefined);
      expect((await store.load(near[0] as typeof key))?.snapshot).toEqual(first);
      expect((await store.load(near[2] as typeof key))?.snapshot).toEqual(second);
      expect((await store.load(near[3] as typeof key))?.snapshot).toEqual(third);
      expect(await store.load(near[1] as typeof key)).toBeUndefined();
    });

    test("forgets what was deleted, and begins anew", async () => {
      const store = await make();
      const [first, second] = await snapshots(2);
      await store.delete(key);
      const one = await store.save(key, first as Snapshot, undefined);
      await store.delete(key);
      expect(await store.load(key)).toBeUndefined();
      expect(await store.save(key, second as Snapshot, one)).toBeUndefined();
      expect(await store.save(key, second as Snapshot, undefined)).toEqual(expect.any(String));
    });
  });
}
