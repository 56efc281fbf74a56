import { sliced } from "./wire/sliced-count.ts";

/** What of an encoding of the package `tiktoken` (its `lite` form, or another that is called alike) is used. */
export type TiktokenEncoding = { encode_ordinary(text: string): { readonly length: number } };

/**
 * An exact counter for the session option `countText`: `tiktokenCounter(get_encoding("o200k_base"))`. It gives the encoding slices of 2,048 characters, so that no text stalls or crashes
 * it, and samples texts above 128 KB. The encoding stays the host's, to free.
 */
export function tiktokenCounter(encoding: TiktokenEncoding): (text: string) => number {
  return sliced((text) => encoding.encode_ordinary(text).length);
}
