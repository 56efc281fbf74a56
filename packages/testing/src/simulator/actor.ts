import type { ObjectValue } from "@tidemark/core";
import { type Chance, chanceOf } from "./chance.ts";
import { objectOf, objectsOf, stringOf } from "./json.ts";
import type { ReplyPart, Script, ScriptedCall, ScriptedReply } from "./script.ts";

/** Each is a probability in [0, 1] unless it says otherwise. */
export type ActorOptions = {
  readonly seed: string | number;
  /** Reasoning before a reply. Half of the reasoning replies with calls think once more between text and calls. */
  readonly thinks?: number | undefined;
  /** Of the reasoning parts, those whose text is hidden (empty, but signed where the wire signs). */
  readonly hides?: number | undefined;
  /** Text in a reply that calls tools; one without calls always has text unless it is empty. */
  readonly speaks?: number | undefined;
  /** A reply without calls: the turn ends. */
  readonly finishes?: number | undefined;
  /** Largest number of parallel calls in a reply. */
  readonly callsMax?: number | undefined;
  /** A failed request. */
  readonly fails?: number | undefined;
  /** Statuses to fail with. */
  readonly statuses?: readonly number[] | undefined;
  /** A reply with nothing in it. */
  readonly empties?: number | undefined;
};

/** A stand-in for a model: thinks, calls the tools that the request declares, fails now and then, and finishes. All by seed. */
export function seededActor(options: ActorOptions): Script {
  const chance = chanceOf(options.seed);
  return (request) => {
    if (chance.happens(options.fails ?? 0)) return { error: { status: chance.pick(options.statuses ?? [500, 529]) } };
    if (chance.happens(options.empties ?? 0)) return { parts: [] };
    return { parts: [...spoken(options, chance, toolNames(request))] } satisfies ScriptedReply;
  };
}

function* spoken(options: ActorOptions, chance: Chance, tools: readonly string[]): Generator<ReplyPart> {
  const calls = tools.length === 0 || chance.happens(options.finishes ?? 0.3) ? 0 : 1 + chance.below(options.callsMax ?? 3);
  const thinks = chance.happens(options.thinks ?? 0.7);
  if (thinks) yield thought(options, chance);
  if (calls === 0 || chance.happens(options.speaks ?? 0.5)) {
    yield { text: sentence(chance) };
    if (thinks && calls > 0 && chance.happens(0.5)) yield thought(options, chance);
  }
  for (let index = 0; index < calls; index++) yield { call: callOf(chance, chance.pick(tools)) };
}

function thought(options: ActorOptions, chance: Chance): ReplyPart {
  return { thinking: chance.happens(options.hides ?? 0.2) ? "" : sentence(chance) };
}

/** Keys stand in no sorted order, so that a store that sorts them is noticed. */
function callOf(chance: Chance, name: string): ScriptedCall {
  return {
    name,
    input: {
      path: `${chance.pick(words)}/${chance.pick(words)}.ts`,
      limit: 1 + chance.below(400),
      "from-line": chance.below(90),
      all: chance.happens(0.5),
    },
  };
}

function toolNames(request: ObjectValue): readonly string[] {
  const declared = [...objectsOf(request.tools), ...objectsOf(objectOf(request.toolConfig).tools)];
  const tools = declared.flatMap((tool) => (tool.functionDeclarations === undefined ? [tool] : objectsOf(tool.functionDeclarations)));
  const names = tools.map((tool) => [tool, objectOf(tool.function), objectOf(tool.toolSpec)].map(({ name }) => stringOf(name)).join(""));
  return names.filter((name) => name !== "");
}

function sentence(chance: Chance): string {
  const length = 4 + chance.below(12);
  return `${Array.from({ length }, () => chance.pick(words)).join(" ")}.`;
}

const words = "anchor basin channel delta eddy ferry gauge harbour inlet jetty keel lock mooring neap oar pilot quay reef shoal tide".split(
  " ",
);
