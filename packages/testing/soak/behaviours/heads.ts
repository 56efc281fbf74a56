import type { Behaviour } from "../behaviour.ts";
import { toolNamed } from "../conversation.ts";
import { clone, type Tool } from "../history.ts";
import type { Host } from "../host.ts";

/** What stands ahead of the messages: system text, tools, model, effort (14, 15, 22). */
export const heads: readonly Behaviour[] = [
  {
    name: "system note",
    number: 14,
    wants: "notes",
    mayBreak: ["system"],
    whenOwned: true,
    run: async (host) => {
      await host.finishesTurn();
      host.userSays();
      host.say({ role: "system", content: `${host.word("n")} of the host` });
      if (host.chance.happens(0.7)) changeSystem(host);
      await host.asks();
    },
  },
  {
    name: "system clock",
    number: 15,
    mayBreak: ["system"],
    whenOwned: true,
    run: async (host) => {
      for (let times = 2 + host.chance.below(2); times > 0; times--) {
        changeSystem(host);
        host.ready();
        await host.asks();
      }
    },
  },
  {
    name: "system text, set and set back",
    number: 15,
    mayBreak: ["system"],
    whenOwned: true,
    run: async (host) => {
      const lines = host.systemLines;
      changeSystem(host);
      host.ready();
      await host.asks();
      host.systemLines = lines;
      host.transcript.did("the system text is what it was");
      host.ready();
      await host.asks();
    },
  },
  {
    name: "system text in a loop",
    number: 15,
    mayBreak: ["system"],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      changeSystem(host);
      host.ready();
      await host.asks();
      if (host.chance.happens(0.7)) await host.finishesTurn();
    },
  },
  {
    name: "tool added",
    number: 15,
    mayBreak: ["tools"],
    whenOwned: true,
    run: (host) => withTools(host, (tools) => [...tools, toolNamed(`tool_${host.word("c").slice(2)}`)]),
  },
  {
    name: "tool removed",
    number: 15,
    mayBreak: ["tools"],
    whenOwned: true,
    run: (host) => withTools(host, (tools) => (tools.length < 2 ? undefined : tools.slice(1))),
  },
  {
    name: "tool returns elsewhere",
    number: 15,
    mayBreak: ["tools"],
    whenOwned: true,
    run: async (host) => {
      if (host.tools.length < 2) host.tools = [...host.tools, toolNamed(`tool_${host.word("c").slice(2)}`)];
      const [first, ...others] = host.tools as [Tool, ...Tool[]];
      await withTools(host, () => others);
      return withTools(host, (tools) => [...tools, first]);
    },
  },
  {
    name: "tools in another order",
    number: 15,
    mayBreak: [],
    whenOwned: true,
    run: (host) => withTools(host, (tools) => [...tools].reverse().map((tool) => movedKeys(tool))),
  },
  {
    name: "tool described anew",
    number: 15,
    mayBreak: ["tools"],
    whenOwned: true,
    run: (host) =>
      withTools(host, ([first, ...others]) =>
        first === undefined ? undefined : [{ ...first, description: `Tool of ${host.word("u")}.` }, ...others],
      ),
  },
  {
    name: "tools in a loop",
    number: 15,
    mayBreak: ["tools"],
    whenOwned: true,
    run: async (host) => {
      await host.opensLoop();
      await withTools(host, (tools) => [...tools, toolNamed(`tool_${host.word("c").slice(2)}`)]);
      if (host.chance.happens(0.7)) await host.finishesTurn();
      return true;
    },
  },
  {
    name: "model switched and back",
    number: 22,
    mayBreak: ["model", "params"],
    whenOwned: true,
    run: async (host) => {
      const was = host.model;
      await withModel(host, host.chance.pick(host.side.models.filter((model) => model !== was)));
      if (host.chance.happens(0.5)) {
        host.ready();
        await host.asks();
      }
      await withModel(host, was);
    },
  },
  {
    name: "model switched in a loop",
    number: 22,
    mayBreak: ["model", "params"],
    whenOwned: true,
    run: async (host) => {
      const was = host.model;
      await host.opensLoop();
      await withModel(host, host.chance.pick(host.side.models.filter((model) => model !== was)));
      if (host.chance.happens(0.5)) await host.opensLoop();
      await withModel(host, was);
    },
  },
  {
    name: "effort switched and back",
    number: 22,
    wants: "effort",
    // A setting that was said in the conversation and is no longer named cannot be taken back in words.
    mayBreak: ["params", "history"],
    whenOwned: true,
    run: async (host) => {
      const was = host.effort;
      for (const effort of [host.chance.pick(["low", "max"]), was]) {
        host.effort = effort;
        host.transcript.did(`effort ${effort ?? "unset"}`);
        host.ready();
        await host.asks();
      }
    },
  },
];

function changeSystem(host: Host): void {
  const lines = [...host.systemLines];
  lines[host.chance.happens(0.7) ? lines.length - 1 : host.chance.below(lines.length)] = `Now: ${host.word("s")}`;
  host.systemLines = lines;
  host.transcript.did(`system text: ${lines.join(" | ")}`);
}

async function withTools(host: Host, change: (tools: readonly Tool[]) => readonly Tool[] | undefined): Promise<boolean> {
  const changed = change(clone(host.tools));
  if (changed === undefined) return false;
  host.tools = [...changed];
  host.transcript.did(`tools: ${changed.map(({ name }) => name).join(" ")}`);
  host.ready();
  await host.asks();
  return true;
}

async function withModel(host: Host, model: string): Promise<void> {
  host.model = model;
  host.transcript.did(`model ${model}`);
  host.ready();
  await host.asks();
}

/** The same tool as a process that builds its schema anew hands it over. */
function movedKeys<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, movedKeys(member)])) as T;
}
