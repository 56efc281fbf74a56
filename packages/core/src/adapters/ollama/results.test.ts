import { describe, expect, it } from "vitest";
import { createSession } from "../../session/create-session.ts";
import { ollama } from "./wire.ts";

const user = { role: "user", content: "Look and ask." };
const calls = (...names: string[]) => ({
  role: "assistant",
  content: "",
  tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
});
const result = (content: string, tool_name?: string) => ({ role: "tool", content, ...(tool_name !== undefined && { tool_name }) });

async function sent(...messages: object[]) {
  const turn = await createSession({ wire: ollama(), strict: true }).prepare({ model: "m", messages: [user, ...messages] });
  return { contents: turn.request.messages.map((message) => (message as { content: string }).content), repairs: turn.repairs };
}

describe("results of calls without ids (rules 11 and 12)", () => {
  it("go to the first open call of their tool", async () => {
    const { contents } = await sent(
      calls("look", "ask", "look"),
      result("asked", "ask"),
      result("first", "look"),
      result("second", "look"),
    );
    expect(contents.slice(2)).toEqual(["first", "asked", "second"]);
  });

  it("that name nothing go to the first open call", async () => {
    const { contents, repairs } = await sent(calls("look", "ask"), result("seen"), result("asked"));
    expect(contents.slice(2)).toEqual(["seen", "asked"]);
    expect(repairs.resultsOrphaned).toEqual([]);
  });

  it("that name a tool which was not called have no call", async () => {
    const { contents, repairs } = await sent(calls("look"), result("seen", "look"), result("heard", "listen"));
    expect(repairs.resultsOrphaned).toEqual(["listen"]);
    expect(contents.at(-1)).toContain("heard");
  });
});
