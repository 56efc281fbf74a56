import { describe, expect, it } from "vitest";
import { seededActor } from "./actor.ts";
import type { ScriptedReply } from "./script.ts";

const anthropicRequest = { tools: [{ name: "read" }, { name: "write" }] };
const chatRequest = { tools: [{ type: "function", function: { name: "read" } }] };

async function replies(options: Parameters<typeof seededActor>[0], request: object, count = 300): Promise<ScriptedReply[]> {
  const actor = seededActor(options);
  return Promise.all(Array.from({ length: count }, (_item, position) => actor(request as Parameters<typeof actor>[0], position)));
}

describe("the seeded actor", () => {
  it("repeats itself for a seed", async () => {
    expect(await replies({ seed: 1 }, anthropicRequest)).toEqual(await replies({ seed: 1 }, anthropicRequest));
    expect(await replies({ seed: 1 }, anthropicRequest)).not.toEqual(await replies({ seed: 2 }, anthropicRequest));
  });

  it("thinks, calls up to three tools in parallel, fails, says nothing and finishes", async () => {
    const all = await replies({ seed: 3, fails: 0.1, empties: 0.1 }, anthropicRequest);
    const counts = new Set(all.map((reply) => reply.parts?.filter((part) => "call" in part).length));
    expect([...counts].sort()).toEqual([0, 1, 2, 3, undefined]);
    expect(all.some((reply) => reply.error !== undefined)).toBe(true);
    expect(all.some((reply) => reply.parts?.length === 0)).toBe(true);
    expect(all.some((reply) => reply.parts?.filter((part) => "thinking" in part).length === 2)).toBe(true);
    expect(all.some((reply) => reply.parts?.some((part) => "thinking" in part && part.thinking === ""))).toBe(true);
  });

  it("calls only tools that the request declares, whichever wire it is of", async () => {
    const names = (list: ScriptedReply[]) =>
      new Set(list.flatMap((reply) => reply.parts ?? []).flatMap((part) => ("call" in part ? [part.call.name] : [])));
    expect(names(await replies({ seed: 4 }, anthropicRequest))).toEqual(new Set(["read", "write"]));
    expect(names(await replies({ seed: 4 }, chatRequest))).toEqual(new Set(["read"]));
    expect(names(await replies({ seed: 4 }, {}))).toEqual(new Set());
  });
});
