import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getLlama, type LlamaContextSequence, LlamaLogLevel, type Token } from "node-llama-cpp";
import { writeModel } from "./model-file.ts";
import { learnVocabulary } from "./vocabulary.ts";

/** What llama.cpp did for one prompt. */
export type Evaluation = {
  readonly tokens: number;
  /** Tokens at the front whose keys and values were still there. */
  readonly reused: number;
  /** Tokens that the model was run on, by the engine's own meter. */
  readonly evaluated: number;
  /** From the prompt's tokens to the first one of the answer. */
  readonly firstTokenMs: number;
};

export interface Engine {
  /** Of the engine and the model, for a report. */
  readonly names: readonly string[];
  /** Reads a prompt as a server with one slot does: what the slot holds of its front is kept, the rest evaluated. Undefined: it does not fit. */
  read(prompt: string): Promise<Evaluation | undefined>;
  /** Empties the slot. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

const mergeCount = 768;
/** Two threads on a machine that is busy wait for each other. */
const threads = 1;

/** Writes a model, loads it in llama.cpp and gives one slot of it. `sample`: what its vocabulary is learnt from. */
export async function openEngine(sample: string, contextTokens: number): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), "tidemark-engine-"));
  const path = join(folder, "random.gguf");
  await writeModel(path, { layers: 1, width: 32, feedForward: 32, contextTokens }, learnVocabulary(sample, mergeCount), 1);
  const digest = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, progressLogs: false, logLevel: LlamaLogLevel.error });
  const model = await llama.loadModel({ modelPath: path });
  const context = await model.createContext({ contextSize: contextTokens, sequences: 1, batchSize: 2_048, flashAttention: true, threads });
  const slot = context.getSequence();
  return {
    names: [`llama.cpp ${llama.llamaCppRelease.release}`, `random Llama of one layer, SHA-256 ${digest.slice(0, 12)}`],
    read: async (prompt) => {
      const tokens = model.tokenize(prompt, true);
      return tokens.length < contextTokens ? evaluate(slot, tokens) : undefined;
    },
    forget: () => slot.clearHistory(),
    close: async () => {
      await llama.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

async function evaluate(slot: LlamaContextSequence, tokens: readonly Token[]): Promise<Evaluation> {
  const from = performance.now();
  // The last token is always evaluated, since the first one of the answer comes of it.
  const front = Math.min(sameFront(slot.contextTokens, tokens), tokens.length - 1);
  const held = slot.nextTokenIndex;
  if (held > front) await slot.eraseContextTokenRanges([{ start: front, end: held }]);
  const reused = slot.nextTokenIndex;
  const before = slot.tokenMeter.getState();
  const answer = slot.evaluate(tokens.slice(reused), { temperature: 0 });
  await answer.next();
  const firstTokenMs = performance.now() - from;
  await answer.return();
  const { usedInputTokens, usedOutputTokens } = slot.tokenMeter.diff(before);
  return { tokens: tokens.length, reused, evaluated: usedInputTokens + usedOutputTokens, firstTokenMs };
}

function sameFront(a: readonly Token[], b: readonly Token[]): number {
  const length = Math.min(a.length, b.length);
  let same = 0;
  while (same < length && a[same] === b[same]) same += 1;
  return same;
}
