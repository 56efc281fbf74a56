import type Anthropic from "@anthropic-ai/sdk";

/** A tool server as an agent connects it: what it offers, and how it answers a call. */
export interface ToolServer {
  readonly name: string;
  readonly tools: readonly Anthropic.Tool[];
  call(tool: string, input: unknown): string;
}

/** The connected servers. Tools are listed in the order in which their servers last connected, so a reconnect moves them to the end. */
export class Toolbox {
  readonly #servers = new Map<string, ToolServer>();

  constructor(servers: readonly ToolServer[]) {
    for (const server of servers) this.#servers.set(server.name, server);
  }

  list(): Anthropic.Tool[] {
    return [...this.#servers.values()].flatMap((server) => server.tools);
  }

  reconnect(name: string): void {
    const server = this.#servers.get(name);
    if (server === undefined) throw new Error(`There is no tool server ${name}.`);
    this.#servers.delete(name);
    this.#servers.set(name, server);
  }

  run({ id, name, input }: Anthropic.ToolUseBlock): Anthropic.ToolResultBlockParam {
    const server = [...this.#servers.values()].find(({ tools }) => tools.some((tool) => tool.name === name));
    if (server === undefined) return { type: "tool_result", tool_use_id: id, content: `There is no tool ${name}.`, is_error: true };
    return { type: "tool_result", tool_use_id: id, content: server.call(name, input) };
  }
}
