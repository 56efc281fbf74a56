import type { SharedV4Warning } from "@ai-sdk/provider";
import type { Turn } from "@tidemark/core";

export const unnamed: SharedV4Warning = {
  type: "other",
  message:
    "Tidemark tells this conversation from others by its content, since it has no name. Name it: providerOptions: { tidemark: { sessionId } } (or tidemarkStep in prepareStep).",
};

/** What a host hears of a prompt that stops repeating the one before. */
export function warningsOf({ continuity }: Turn): readonly SharedV4Warning[] {
  return continuity.checkpoints.map((checkpoint) => {
    const { reason, path, tokens, voids } = checkpoint;
    const what = checkpoint.hint === undefined ? `${checkpoint.class} at ${path}` : `${checkpoint.hint}, at ${path}`;
    const lost =
      voids.length === 0
        ? ""
        : ` ${voids.length === 1 ? "1 reasoning part before it is" : `${voids.length} reasoning parts before it are`} no longer sent.`;
    return {
      type: "other",
      message: `Tidemark: this prompt does not repeat the one before (${reason}: ${what}); ${tokens} tokens are read anew.${lost}`,
    };
  });
}

/** A listener that throws fails no call: the host is told. */
export function failureOf(listeners: () => void): readonly SharedV4Warning[] {
  try {
    listeners();
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ type: "other", message: `Tidemark: onCheckpoint or onLanding threw: ${message}` }];
  }
}
