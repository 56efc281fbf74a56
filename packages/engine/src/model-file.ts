import { open } from "node:fs/promises";
import { type Field, gguf, type Tensor } from "./gguf.ts";
import { marks, type Vocabulary } from "./vocabulary.ts";

/** A model of the Llama architecture without a trained weight: what it evaluates and keeps is real, what it says is not. */
export type Shape = { readonly layers: number; readonly width: number; readonly feedForward: number; readonly contextTokens: number };

/** The same bytes for the same shape, vocabulary and seed, on every machine. */
export async function writeModel(path: string, shape: Shape, vocabulary: Vocabulary, seed: number): Promise<void> {
  const file = await open(path, "w");
  try {
    for (const part of gguf(fieldsOf(shape, vocabulary), tensorsOf(shape, vocabulary.tokens.length, seed))) await file.write(part);
  } finally {
    await file.close();
  }
}

const ordinaryToken = 1;
const controlToken = 3;

/** Keys of an architecture: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md#standardized-key-value-pairs */
function fieldsOf({ layers, width, feedForward, contextTokens }: Shape, { tokens, merges, marks: named }: Vocabulary): readonly Field[] {
  const at = (token: string): number => tokens.lastIndexOf(token);
  const numbers: Readonly<Record<string, number>> = {
    "llama.context_length": contextTokens,
    "llama.embedding_length": width,
    "llama.block_count": layers,
    "llama.feed_forward_length": feedForward,
    "llama.attention.head_count": 1,
    "llama.attention.head_count_kv": 1,
    "llama.rope.dimension_count": width,
    "llama.vocab_size": tokens.length,
    "tokenizer.ggml.bos_token_id": at(marks.start),
    "tokenizer.ggml.eos_token_id": at(marks.end),
    "tokenizer.ggml.padding_token_id": at(marks.none),
  };
  return [
    { key: "general.architecture", value: { text: "llama" } },
    { key: "general.name", value: { text: "random" } },
    ...Object.entries(numbers).map(([key, uint32]): Field => ({ key, value: { uint32 } })),
    { key: "llama.attention.layer_norm_rms_epsilon", value: { float32: 1e-5 } },
    { key: "llama.rope.freq_base", value: { float32: 10_000 } },
    { key: "tokenizer.ggml.model", value: { text: "gpt2" } },
    { key: "tokenizer.ggml.pre", value: { text: "gpt-2" } },
    { key: "tokenizer.ggml.tokens", value: { texts: tokens } },
    {
      key: "tokenizer.ggml.token_type",
      value: { int32s: tokens.map((token) => (named.includes(token) ? controlToken : ordinaryToken)) },
    },
    { key: "tokenizer.ggml.merges", value: { texts: merges } },
    { key: "tokenizer.ggml.add_bos_token", value: { bool: false } },
  ];
}

function tensorsOf({ layers, width, feedForward }: Shape, tokenCount: number, seed: number): readonly Tensor[] {
  const random = seeded(seed);
  const matrix = (name: string, columns: number, rows: number): Tensor => {
    const scale = Math.sqrt(3 / columns);
    return { name, dims: [columns, rows], data: Float32Array.from({ length: columns * rows }, () => (random() * 2 - 1) * scale) };
  };
  const ones = (name: string): Tensor => ({ name, dims: [width], data: new Float32Array(width).fill(1) });
  const layer = (place: string): readonly Tensor[] => [
    ones(`${place}.attn_norm.weight`),
    ...["attn_q", "attn_k", "attn_v", "attn_output"].map((name) => matrix(`${place}.${name}.weight`, width, width)),
    ones(`${place}.ffn_norm.weight`),
    matrix(`${place}.ffn_gate.weight`, width, feedForward),
    matrix(`${place}.ffn_up.weight`, width, feedForward),
    matrix(`${place}.ffn_down.weight`, feedForward, width),
  ];
  return [
    matrix("token_embd.weight", width, tokenCount),
    ...Array.from({ length: layers }, (_, index) => layer(`blk.${index}`)).flat(),
    ones("output_norm.weight"),
    matrix("output.weight", width, tokenCount),
  ];
}

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
