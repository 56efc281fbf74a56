import { type ContinuityReport, checkPrefixContinuity, type Wire } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { bedrock } from "@tidemark/core/bedrock";
import { gemini, geminiInteractions } from "@tidemark/core/gemini";
import { ollama } from "@tidemark/core/ollama";
import { openaiChat } from "@tidemark/core/openai-chat";
import { openaiResponses } from "@tidemark/core/openai-responses";

/** Every wire that is built, the ones with the plainest marks of their own first. */
const wires: readonly Wire[] = [anthropic(), bedrock(), gemini(), geminiInteractions(), openaiResponses(), ollama(), openaiChat()].map(
  (wire) => wire as unknown as Wire,
);

/** `checkPrefixContinuity` of `@tidemark/core` with every wire at hand: it is told by the requests' shape unless one is named. */
export function checkContinuity(previous: object, next: object, options: { readonly wire?: Wire | undefined } = {}): ContinuityReport {
  return checkPrefixContinuity(previous, next, { wire: options.wire ?? wires });
}
