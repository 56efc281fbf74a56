// The agent as a program: Node, Bun and Deno.
import { runAgent } from "./agent.js";

console.log(await runAgent());
