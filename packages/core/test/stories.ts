import { elide } from "../src/overflow/elide.ts";
import { onDemandCompaction } from "../src/overflow/on-demand-compaction.ts";
import { summarize } from "../src/overflow/summarize.ts";
import { through } from "../src/session/through.ts";
import { skill } from "../src/sources/skill.ts";
import { state } from "../src/sources/state.ts";
import { Crowded, prose, scripted } from "./crowded.ts";
import { plainSchema } from "./plain-schema.ts";
import { anthropicSpeaker, bedrockSpeaker, call, chatSpeaker, type Message, result, text, thinking } from "./speakers.ts";
import { Talk } from "./talk.ts";

const task = state<{ readonly step: string; readonly open: readonly string[] }>("task", { schema: plainSchema(() => true, "any will do") });
const usage = { input_tokens: 9, output_tokens: 7, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 };
const haiku = { model: "claude-haiku-5-5" };
/** A provider that compacts what it is sent. */
const compacts = async (): Promise<object> => {
  const block = { type: "compaction", content: "COMPACTED", encrypted_content: null, tool_changes: [], signature: "c2ln" };
  return { type: "message", role: "assistant", stop_reason: "compaction", content: [block], usage: {} };
};
const loop: readonly Message[] = [
  anthropicSpeaker.user("read both"),
  { role: "assistant", content: [thinking("start"), call("c1")] },
  { role: "user", content: [result("c1")] },
];

/** Sessions whose windows hold what only few do, each ready for what the user says next. `holds`: what its snapshot shows of that. */
export const stories: Readonly<Record<string, { readonly holds: string; readonly talk: () => Promise<Talk> }>> = {
  "replies with reasoning, calls and usage": {
    holds: '"cacheRead":5',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("read");
      talk.answer([thinking("which"), text("look"), call("c1", "read", { path: "a", all: true }), call("c2")], { usage });
      await talk.results(["c1", "a"], ["c2", ""]);
      talk.answer([thinking("done"), text("read")], { usage });
      return talk;
    },
  },
  "reasoning that is plain, and argument strings": {
    holds: '"arguments":[',
    talk: async () => {
      const talk = new Talk({}, chatSpeaker);
      await talk.ask("read");
      talk.answer({ thinking: "hm", calls: [{ id: "c1", input: { zebra: 1, apple: [] } }] });
      await talk.results(["c1", "a"]);
      talk.answer({ text: "read" });
      return talk;
    },
  },
  "capped, made-up and late results": {
    holds: "left out]",
    talk: async () => {
      const talk = new Talk({ toolResultCap: 64 });
      await talk.ask("read");
      talk.answer({ calls: [{ id: "c1" }, { id: "c2" }] });
      talk.history.push({ role: "user", content: [result("c1", "long\n".repeat(400)), text("never mind the other")] });
      await talk.send();
      talk.answer({ text: "fine" });
      talk.history.push({ role: "user", content: [result("c2", "late"), text("here it is")] });
      await talk.send();
      talk.answer({ text: "thanks" });
      return talk;
    },
  },
  "reasoning of two models": {
    holds: '"model":"claude-haiku-5-5"',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("of opus"), text("1")]);
      await talk.ask("two", haiku);
      talk.answer([thinking("of haiku"), text("2")]);
      return talk;
    },
  },
  "reasoning that went": {
    holds: '"lostReasoning":true',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("first")]);
      await talk.ask("two");
      talk.answer([thinking("second"), text("2")]);
      talk.history[0] = anthropicSpeaker.user("one, edited");
      await talk.ask("three");
      talk.answer({ text: "3" });
      return talk;
    },
  },
  "a folded loop": {
    holds: '"folded":true',
    talk: async () => {
      const talk = new Talk();
      talk.history = [...loop];
      await talk.send();
      talk.answer([thinking("end"), text("read")]);
      return talk;
    },
  },
  "reasoning that is lent": {
    holds: '"lent":true',
    talk: async () => {
      const talk = new Talk({ headers: true });
      await talk.ask("one");
      talk.answer([thinking("greet"), text("hi")]);
      talk.history.push(...loop);
      await talk.send();
      return talk;
    },
  },
  "reasoning that the provider dropped": {
    holds: '"dropped":[',
    talk: async () => {
      const talk = (await stories["reasoning that is lent"]?.talk()) as Talk;
      const input_transformations = [{ type: "thinking_dropped", path: "messages.3.content.0", reason: "prefix_binding_mismatch" }];
      talk.answer([thinking("end"), text("read")], { input_transformations });
      return talk;
    },
  },
  "an empty reply, a system message and a prefill": {
    holds: '"empty":true',
    talk: async () => {
      const talk = new Talk({}, { ...anthropicSpeaker, model: "claude-sonnet-4-5" });
      talk.history = [{ role: "assistant", content: [] }, anthropicSpeaker.user("anyone?")];
      talk.history.push({ role: "system", content: "be brief" }, { role: "assistant", content: "{" });
      await talk.send();
      talk.history.pop();
      talk.answer({ text: "{}" });
      return talk;
    },
  },
  "a system message that an older model is told by the user": {
    holds: '"role":"system"',
    talk: async () => {
      const talk = new Talk();
      talk.history = [anthropicSpeaker.user("hello"), { role: "system", content: "the build is red" }];
      await talk.send();
      talk.answer([thinking("red"), text("I see")]);
      await talk.ask("mend it", { model: "claude-sonnet-4-6" });
      talk.answer({ text: "mended" });
      await talk.ask("thanks");
      talk.answer([thinking("done"), text("any time")]);
      return talk;
    },
  },
  "a call id that comes again": {
    holds: '"sentId":"c1_2"',
    talk: async () => {
      const talk = new Talk({}, { ...anthropicSpeaker, model: "claude-sonnet-4-6" });
      for (const file of ["a", "b"]) {
        await talk.ask(`read ${file}`);
        talk.answer([text("look"), call("c1", "read", { path: file })]);
        await talk.results(["c1", `text of ${file}`]);
        talk.answer({ text: `read ${file}` });
      }
      return talk;
    },
  },
  "two replies in a row": {
    holds: '"nextEntry":5',
    talk: async () => {
      const talk = new Talk({ strict: false }, chatSpeaker);
      await talk.ask("one");
      talk.answer({ thinking: "hm", text: "1" });
      talk.store({ text: "and more" });
      await talk.ask("two");
      talk.answer({ text: "2" });
      return talk;
    },
  },
  "what a source said": {
    holds: '"change":true',
    talk: async () => {
      const talk = new Talk({ sources: [task] });
      const open = Array.from({ length: 20 }, (_, index) => `point ${index}`);
      talk.session.set(task, { step: "read", open });
      await talk.ask("one");
      talk.answer({ text: "1" });
      talk.session.set(task, { step: "write", open });
      await talk.ask("two");
      talk.answer([thinking("second"), text("2")]);
      return talk;
    },
  },
  "what is said by the system, and pinned words behind a summary": {
    holds: '"channel":"system"',
    talk: async () => {
      const mode = skill();
      const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY"), keepRecentTurns: 1 }), { sources: [mode, task] });
      talk.session.set(mode, { name: "review", instructions: "Look for faults." });
      await talk.exchange(2, 30);
      talk.session.set(task, { step: "read", open: [] });
      talk.session.pin(talk.history[0] as object);
      await talk.exchange(1, 30);
      talk.session.compact();
      await talk.exchange(1, 30);
      talk.session.set(mode, { name: "write", instructions: "Write." });
      await talk.exchange(1, 30);
      return talk;
    },
  },
  "neighbours that its wire joins": {
    holds: '"channel":"user"',
    talk: async () => {
      const talk = new Talk({ sources: [task] }, bedrockSpeaker);
      const toolSpec = { name: "read", inputSchema: { json: { type: "object" } } };
      talk.head = { inferenceConfig: { maxTokens: 1_000 }, toolConfig: { tools: [{ toolSpec }] } };
      talk.session.set(task, { step: "read", open: [] });
      talk.history = [bedrockSpeaker.user("one"), bedrockSpeaker.user("and two")];
      await talk.send();
      talk.answer({ thinking: "both", text: "12", calls: [{ id: "c1" }] });
      talk.history.push(...bedrockSpeaker.results(["c1", "a"]));
      await talk.ask("quickly");
      talk.answer({ text: "3" });
      return talk;
    },
  },
  "a summary": {
    holds: "SUMMARY",
    talk: async () => {
      const talk = new Crowded(summarize({ summarizer: scripted("SUMMARY") }));
      await talk.exchange(4, 30);
      talk.session.compact();
      await talk.exchange(2, 30);
      return talk;
    },
  },
  "the provider's own compaction": {
    holds: "COMPACTED",
    talk: async () => {
      const talk = new Crowded(onDemandCompaction({ send: compacts, keepRecentTurns: 1 }), { headers: true });
      for (const words of ["one", "two", "three"]) {
        await talk.ask(words);
        talk.answer({ thinking: `about ${words}`, text: prose(`to ${words}`, 100) });
      }
      talk.session.compact();
      await talk.ask("four");
      talk.answer({ thinking: "about four", text: "to four" });
      return talk;
    },
  },
  "a reply of nothing but reasoning": {
    holds: '"kind":"reasoning"',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("only")]);
      await talk.ask("two");
      talk.answer([thinking("second"), text("2")]);
      return talk;
    },
  },
  "elided results": {
    holds: '"landed"',
    talk: async () => {
      const talk = new Crowded(elide({ protect: 2 }));
      await talk.ask("read all");
      for (const id of ["c1", "c2", "c3", "c4"]) {
        talk.answer({ thinking: `about ${id}`, calls: [{ id }] });
        await talk.results([id, "word ".repeat(300)]);
      }
      talk.answer({ text: "read" });
      return talk;
    },
  },
  "a tool loop that is open": {
    holds: '"lostReasoning":false',
    talk: async () => {
      const talk = new Talk();
      for (const words of ["hello", "and you?"]) {
        await talk.ask(words);
        talk.answer([thinking(`about ${words}`), text(`to ${words}`)]);
      }
      await talk.ask("read both");
      talk.answer([thinking("start"), call("c1")]);
      await talk.results(["c1", "a"]);
      talk.answer([thinking("go on"), call("c2")]);
      talk.history.push({ role: "user", content: [result("c2", "b")] });
      return talk;
    },
  },
  "nothing but a restart": {
    holds: '"restarted":true',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("one");
      talk.answer([thinking("first"), text("1")]);
      talk.session.restart();
      return talk;
    },
  },
  "a wire that it left and came back from": {
    holds: '"parked"',
    talk: async () => {
      const talk = new Talk();
      await talk.ask("read");
      talk.answer([thinking("which"), call("c1")]);
      await talk.results(["c1", "a"]);
      talk.answer([thinking("done"), text("read")]);
      const messages = [chatSpeaker.user("read"), chatSpeaker.reply({ calls: [{ id: "c1" }] }), ...chatSpeaker.results(["c1", "a"])];
      const other = through(talk.session, chatSpeaker.wire);
      await other.prepare({
        model: chatSpeaker.model,
        messages: [...messages, chatSpeaker.reply({ text: "read" }), chatSpeaker.user("and?")],
      });
      await talk.ask("and?");
      talk.answer([thinking("more"), text("that")]);
      return talk;
    },
  },
  "a history that was trimmed": {
    holds: '"trimsInRow":1',
    talk: async () => {
      const talk = new Talk();
      for (const words of ["one", "two", "three"]) {
        await talk.ask(words);
        talk.answer({ thinking: words, text: `to ${words}` });
      }
      talk.history.splice(0, 2);
      await talk.ask("four");
      talk.answer({ text: "4" });
      return talk;
    },
  },
};

export type Change = (history: readonly Message[], talk: Talk) => readonly Message[];

/** What hosts do to a history beside going on with it. */
export const changes: Readonly<Record<string, Change>> = {
  "an edit of its first message": (history, talk) => [talk.speaker.user("edited"), ...history.slice(1)],
  "an edit of its last user message": (history, talk) => {
    const at = history.findLastIndex(({ role }) => role !== "assistant");
    return history.with(at, talk.speaker.user("edited"));
  },
  "an edit of its second user message": (history, talk) => {
    const [, second] = history.flatMap(({ role }, at) => (role === "assistant" ? [] : [at]));
    return second === undefined ? history : history.with(second, talk.speaker.user("edited"));
  },
  "its last four messages gone": (history) => history.slice(0, -4),
  "a message put in front": (history, talk) => [talk.speaker.user("before all"), ...history],
  "a message put in the middle": (history, talk) => history.toSpliced(1, 0, talk.speaker.user("by the way")),
  "its last reply gone": (history) => history.slice(0, -1),
  "its last exchange twice": (history) => [...history, ...history.slice(history.findLastIndex(({ role }) => role !== "assistant"))],
  "its first exchange gone": (history) => history.slice(history.findIndex(({ role }) => role === "assistant") + 1),
  "nothing left of it": () => [],
  "its first reply gone": (history) =>
    history.toSpliced(
      history.findIndex(({ role }) => role === "assistant"),
      1,
    ),
  "its first message said twice": (history) => [...history.slice(0, 1), ...history],
  "a reply of its own in front": (history, talk) => [talk.speaker.reply({ text: "as I said" }), ...history],
  "a summary of its own in place of its start": (history, talk) => [
    talk.speaker.user("in short"),
    ...history.slice(history.findIndex(({ role }) => role === "assistant") + 1),
  ],
  "another reply in the middle": (history, talk) => {
    const at = history.findIndex(({ role }) => role === "assistant");
    return at < 0 ? history : history.with(at, talk.speaker.reply({ text: "otherwise" }));
  },
  "another reply behind its first without calls": (history, talk) => {
    const at = history.findIndex((message) => message.role === "assistant" && !/"tool/.test(JSON.stringify(message)));
    return history.toSpliced(at + 1, 0, talk.speaker.reply({ text: "otherwise" }));
  },
  "words behind its last user message": (history, talk) => {
    const at = history.findLastIndex(({ role }) => role !== "assistant");
    return history.toSpliced(at + 1, 0, talk.speaker.user("and one more thing"));
  },
  "another last reply": (history, talk) => [...history.slice(0, -1), talk.speaker.reply({ text: "otherwise" })],
};
