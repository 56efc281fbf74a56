import type { ReportedDifference } from "@tidemark/core";

type Step = Readonly<Partial<Record<ReportedDifference["class"], string>>> & { readonly otherwise: string };

/** What keeps the prefix, by where it was left and how. */
const steps: Readonly<Record<ReportedDifference["field"], Step>> = {
  system: {
    mark: "leave cache marks where they were.",
    otherwise:
      "send the system text as it was first sent, and say what changes (a date, a mode, what was retrieved) at the end of the messages.",
  },
  tools: {
    order: "send the tools, and the keys of their schemas, in the order in which they were first sent.",
    mark: "leave cache marks where they were.",
    otherwise: "send the tools that were sent as they were, and new ones behind them.",
  },
  model: { otherwise: "keep one model for a conversation: another one reads nothing of its cache." },
  params: { otherwise: "keep this parameter for a conversation: it is part of what the cache is kept by." },
  messages: {
    insertion: "put what is new behind the last message.",
    removal: "send again what was sent; what is removed early makes all behind it new.",
    order: "send keys, blocks and results in the order in which they were first sent.",
    shape: "send a message in the form in which it was first sent, a string or blocks.",
    media: "send the same bytes again: keep the encoded file with the message.",
    mark: "leave cache marks where they were, or let the provider place them.",
    otherwise: "leave what was sent as it was, and say what changed in a new message.",
  },
};

const reasoning: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking", "reasoning", "reasoningContent"]);

/** What is to be written instead. */
export function nextStep({ field, class: kind, previous }: ReportedDifference): string {
  if (kind === "removal" && isReasoning(previous)) return "send a reply as the provider gave it, its reasoning too.";
  return steps[field][kind] ?? steps[field].otherwise;
}

function isReasoning(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("reasoningContent" in value || ("type" in value && reasoning.has(value.type)));
}
