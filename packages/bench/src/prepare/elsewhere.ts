import { ContextChef, fromAnthropic } from "@context-chef/core";
import type { Request } from "./host.ts";

const chef = new ContextChef({});

/** Another library in its default configuration, given the host's messages. */
export function compileElsewhere(request: Request): Promise<unknown> {
  const { system, history } = fromAnthropic(request.messages as Parameters<typeof fromAnthropic>[0], [
    { type: "text", text: String(request.system) },
  ]);
  return chef.setSystemPrompt(system).setHistory(history).compile({ target: "anthropic" });
}
