import { ConverseCommand, ConverseStreamCommand, type Message } from "@aws-sdk/client-bedrock-runtime";
import { elide } from "@tidemark/core";
import { bedrock } from "@tidemark/core/bedrock";
import { type ContextFetchOptions, type ContextWarning, contextFetch, type SentRequest } from "@tidemark/core/fetch";
import { describe, expect, it } from "vitest";
import { bedrockSimulator, type Script, type Simulator } from "../src/index.ts";
import { bedrockClient } from "./bedrock-client.ts";

const modelId = "us.anthropic.claude-opus-5-5";
const tools = [{ toolSpec: { name: "read", inputSchema: { json: { type: "object" } } } }];
const script: Script = (_request, position) =>
  position % 3 === 2
    ? { thinking: `It is done ${position}.`, text: `Done ${position}.` }
    : { thinking: `Which ${position}?`, calls: [{ name: "read", input: { path: `${position}.ts` } }] };

function hostOf(simulator: Simulator, options: Partial<ContextFetchOptions> = {}, keyed = true) {
  const sent: SentRequest[] = [];
  const prompts: (number | undefined)[] = [];
  const warnings: ContextWarning[] = [];
  const fetch = contextFetch({
    wires: [bedrock()],
    session: () => "harbour",
    fetch: simulator.fetch,
    onTurn: (turn) => sent.push(turn),
    onSettled: ({ settled }) => prompts.push(settled.usage.prompt),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { client: bedrockClient({ fetch }, keyed), sent, prompts, warnings };
}

type Client = ReturnType<typeof hostOf>["client"];

async function reply(client: Client, messages: Message[], streams: boolean): Promise<Message> {
  const request = { modelId, messages, toolConfig: { tools }, inferenceConfig: { maxTokens: 1_000 } } as never;
  if (!streams) return (await client.send(new ConverseCommand(request))).output?.message as Message;
  const accumulator = bedrock().accumulator();
  for await (const event of (await client.send(new ConverseStreamCommand(request))).stream ?? []) accumulator.add(event);
  return (accumulator.reply().reply as { readonly output: { readonly message: Message } }).output.message;
}

/** A store that keeps what is visible only. */
const visible = ({ role, content = [] }: Message): Message => ({
  role,
  content: content.filter((block) => block.reasoningContent === undefined),
});

describe("contextFetch under the AWS SDK", () => {
  it.each([false, true])(
    "keeps a conversation whose host loses its reasoning, and reads usage off the stream (streaming: %s)",
    async (streams) => {
      const simulator = bedrockSimulator({ script });
      const { client, sent, prompts, warnings } = hostOf(simulator);
      const messages: Message[] = [];
      for (const question of ["Read.", "Read more."]) {
        messages.push({ role: "user", content: [{ text: question }] });
        for (let step = 0; step < 3; step++) {
          const said = await reply(client, messages, streams);
          messages.push(visible(said));
          const results = (said.content ?? []).flatMap(({ toolUse }) =>
            toolUse === undefined ? [] : [{ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: "Empty." }] } }],
          );
          if (results.length > 0) messages.push({ role: "user", content: results });
        }
      }
      expect(simulator.requests.map(({ status, path }) => [status, path])).toEqual(
        Array.from({ length: 6 }, () => [200, `/model/${encodeURIComponent(modelId)}/converse${streams ? "-stream" : ""}`]),
      );
      expect(simulator.requests.filter(({ text }) => text.includes("modelId"))).toEqual([]);
      expect(simulator.requests.at(-1)?.text.match(/reasoningContent/g)).toHaveLength(5);
      expect(sent.flatMap(({ turn }) => turn.continuity.checkpoints)).toEqual([]);
      expect(prompts).toHaveLength(6);
      expect(prompts.every((prompt) => prompt !== undefined && prompt > 0)).toBe(true);
      expect(warnings).toEqual([]);
    },
  );

  it("makes room once for a prompt that was too long, before the host hears of it", async () => {
    const says = "The model returned the following errors: prompt is too long: 36234 tokens > 36000 maximum";
    const simulator = bedrockSimulator({
      script: (_request, position) => (position === 0 ? { error: { status: 400, message: says } } : { text: "Done." }),
    });
    // A window in which the messages are below high water, and above low.
    const wires = [bedrock({ profiles: { [modelId]: { context: 36_000 } } })];
    const { client } = hostOf(simulator, { wires, sessions: { overflow: elide() } });
    const long = "A line that says what the file does.\n".repeat(300);
    const steps = Array.from({ length: 6 }, (_, index): Message[] => [
      { role: "assistant", content: [{ toolUse: { toolUseId: `t${index}`, name: "read", input: { path: `${index}.ts` } } }] },
      { role: "user", content: [{ toolResult: { toolUseId: `t${index}`, content: [{ text: `${index} ${long}` }] } }] },
    ]);
    const messages: Message[] = [{ role: "user", content: [{ text: "Read." }] }, ...steps.flat()];
    const said = await reply(client, messages, false);
    expect(said).toMatchObject({ content: [{ text: "Done." }] });
    expect(simulator.requests.map(({ status }) => status)).toEqual([400, 200]);
  });

  it("leaves a body alone that was signed, and says what to do", async () => {
    const simulator = bedrockSimulator({ script: [{ text: "Hi." }] });
    const { client, sent, warnings } = hostOf(simulator, {}, false);
    await reply(client, [{ role: "user", content: [{ text: "Hello" }] }], false);
    expect(sent).toEqual([]);
    expect(warnings).toMatchObject([{ code: "signed", message: expect.stringContaining("AWS_BEARER_TOKEN_BEDROCK") }]);
  });
});
