import { anthropicSimulator, openaiChatSimulator, seededActor } from "./src/index.ts";
const freeze = (v: any): any => { if (v && typeof v === "object" && !Object.isFrozen(v)) { for (const m of Object.values(v)) freeze(m); Object.freeze(v); } return v; };
const tools = freeze(Array.from({ length: 30 }, (_, i) => ({ name: `tool_${i}`, description: "d".repeat(1500), input_schema: { type: "object", properties: { a: { type: "string", description: "x".repeat(500) } } } })));
const system = freeze([{ type: "text", text: "s".repeat(10000) }]);
async function run(frozen: boolean, turns: number, via: "handle" | "fetch") {
  const sim = anthropicSimulator({ script: seededActor({ seed: 1, finishes: 0 }), keep: 10 });
  const messages: any[] = [freeze({ role: "user", content: [{ type: "text", text: "q".repeat(2000) }] })];
  const t0 = performance.now(); let mark = t0;
  for (let i = 0; i < turns; i++) {
    const body = { model: "claude-opus-5-5", max_tokens: 1000, system, tools, messages: frozen ? [...messages] : JSON.parse(JSON.stringify(messages)), cache_control: { type: "ephemeral" }, thinking: { type: "adaptive" } };
    let reply: any;
    if (via === "handle") { const r = await sim.handle(body); if (r.refusal) throw new Error(r.refusal.message); reply = r.reply; }
    else { const r = await sim.fetch("http://x/v1/messages", { method: "POST", headers: { "anthropic-version": "2026-10-21" }, body: JSON.stringify(body) }); reply = await r.json(); if (!r.ok) throw new Error(JSON.stringify(reply)); }
    messages.push(freeze({ role: "assistant", content: reply.content }));
    messages.push(freeze({ role: "user", content: reply.content.filter((b: any) => b.type === "tool_use").map((b: any) => ({ type: "tool_result", tool_use_id: b.id, content: "r".repeat(2000) })) }));
    if (i === turns - 101) mark = performance.now();
  }
  const t1 = performance.now();
  console.log({ frozen, via, turns, totalMs: Math.round(t1 - t0), msPerReqAtEnd: ((t1 - mark) / 100).toFixed(3), messages: messages.length });
}
await run(true, 200, "handle");
await run(true, 600, "handle");


{
  for (const model of [] as string[]) {
  const sim = openaiChatSimulator({ script: seededActor({ seed: 1, finishes: 0 }), keep: 10 });
  const messages: any[] = [freeze({ role: "user", content: "q".repeat(2000) })];
  const t0 = performance.now();
  for (let i = 0; i < 200; i++) {
    const r = await sim.handle({ model, messages: [...messages], tools: freeze([{ type: "function", function: { name: "read", parameters: {} } }]) });
    if (r.refusal) throw new Error(r.refusal.message);
    const m = (r.reply as any).choices[0].message; messages.push(freeze(m));
    for (const c of m.tool_calls ?? []) messages.push(freeze({ role: "tool", tool_call_id: c.id, content: "r".repeat(2000) }));
    if (!m.tool_calls) messages.push(freeze({ role: "user", content: "x" }));
  }
  console.log(model, Math.round(performance.now() - t0), "ms for 200,", messages.length);
  }
}
