import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Talk } from "../../test/talk.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a session lets go of the host's request once its reply is settled: it holds the host's whole history", async () => {
  const talk = new Talk();
  const request = await askedOf(talk);
  await collected();
  expect(request.deref(), "until then a refusal may be recovered from").toBeDefined();
  talk.answer({ text: "yes" });
  talk.turn = undefined;
  await collected();
  expect(request.deref()).toBeUndefined();
});

async function askedOf(talk: Talk): Promise<WeakRef<object>> {
  const request = { ...talk.request(), messages: [talk.speaker.user("hello")] };
  talk.turn = await talk.session.prepare(request);
  return new WeakRef(request);
}

/** What an `await` still holds is gone a task later. */
async function collected(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
}
