/** Writes GGUF 3, the file format of llama.cpp's models: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */

type Bytes = Uint8Array<ArrayBuffer>;

/** A key of the file's head with its value. */
export type Field = { readonly key: string; readonly value: FieldValue };

type FieldValue =
  | { readonly uint32: number }
  | { readonly float32: number }
  | { readonly bool: boolean }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly int32s: readonly number[] };

/** A matrix of 32-bit floats, row by row. `dims`: columns, rows; one number for a vector. */
export type Tensor = { readonly name: string; readonly dims: readonly number[]; readonly data: Float32Array<ArrayBuffer> };

const alignment = 32;
const types = { uint32: 4, int32: 5, float32: 6, bool: 7, text: 8, list: 9 } as const;
const float32Tensor = 0;

/** The parts of a file, in order. */
export function gguf(fields: readonly Field[], tensors: readonly Tensor[]): readonly Bytes[] {
  const head = joined([
    new TextEncoder().encode("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(fields.length),
    ...fields.flatMap(({ key, value }) => [text(key), ...valueBytes(value)]),
    ...tensorHeads(tensors),
  ]);
  return [head, padding(head.length), ...tensors.flatMap(({ data }) => [bytesOf(data), padding(data.byteLength)])];
}

function tensorHeads(tensors: readonly Tensor[]): readonly Bytes[] {
  let offset = 0;
  return tensors.flatMap(({ name, dims, data }) => {
    const head = [text(name), uint32(dims.length), ...dims.map(uint64), uint32(float32Tensor), uint64(offset)];
    offset += data.byteLength + padding(data.byteLength).length;
    return head;
  });
}

function valueBytes(value: FieldValue): readonly Bytes[] {
  if ("uint32" in value) return [uint32(types.uint32), uint32(value.uint32)];
  if ("float32" in value) return [uint32(types.float32), bytesOf(Float32Array.of(value.float32))];
  if ("bool" in value) return [uint32(types.bool), Uint8Array.of(value.bool ? 1 : 0)];
  if ("text" in value) return [uint32(types.text), text(value.text)];
  if ("texts" in value) return [uint32(types.list), uint32(types.text), uint64(value.texts.length), ...value.texts.map(text)];
  return [uint32(types.list), uint32(types.int32), uint64(value.int32s.length), bytesOf(Int32Array.from(value.int32s))];
}

function text(value: string): Bytes {
  const bytes = new TextEncoder().encode(value);
  return joined([uint64(bytes.length), bytes]);
}

function uint32(value: number): Bytes {
  return bytesOf(Uint32Array.of(value));
}

function uint64(value: number): Bytes {
  return bytesOf(BigUint64Array.of(BigInt(value)));
}

/** Numbers as the machine has them: little-endian, as the format wants them, wherever llama.cpp has a build. */
function bytesOf(
  list: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>,
): Bytes {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
}

function padding(length: number): Bytes {
  return new Uint8Array((alignment - (length % alignment)) % alignment);
}

function joined(parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
