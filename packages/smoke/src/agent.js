// One small agent, the same file in every runtime. JavaScript, as a user of the built package without TypeScript would write it.
import * as core from "@tidemark/core";
import * as adapter from "@tidemark/core/anthropic";

const head = { model: "claude-opus-5", max_tokens: 256, system: "You add numbers." };
const question = { role: "user", content: "1 + 1?" };
const answer = { role: "assistant", content: [{ type: "text", text: "2" }] };

function check(holds, claim) {
  if (!holds) throw new Error(`Not so: ${claim}`);
}

export async function runAgent() {
  // Until core has a session, what can be said is that the built files load.
  if (core.createSession === undefined) return "loads, and has no session yet";
  const session = core.createSession({ wire: adapter.anthropic() });

  const first = await session.prepare({ ...head, messages: [question] });
  check(first.request.messages.length === 1, "the first request has the question");
  first.settle({
    id: "msg_1",
    type: "message",
    model: head.model,
    ...answer,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 1 },
  });

  const messages = [question, answer, { role: "user", content: "and 2 + 2?" }];
  const second = await session.prepare({ ...head, messages });
  check(second.request.messages.length === 3, "the second request has three messages");
  check(second.continuity.checkpoints.length === 0, "the second request continues the first");
  check(JSON.stringify(session.snapshot()).length > 100, "the session has a snapshot");
  return "keeps a session append-only";
}
