// The agent as a worker.
import { runAgent } from "./agent.js";

// biome-ignore lint/style/noDefaultExport: workers are default exports.
export default { fetch: async () => new Response(await runAgent()) };
