import { anthropicSide } from "./anthropic.ts";
import { bedrockSide } from "./bedrock.ts";
import { chatSides } from "./chat.ts";
import { geminiSide } from "./gemini.ts";
import { interactionsSide } from "./interactions.ts";
import { ollamaSide } from "./ollama.ts";
import { responsesSides } from "./responses.ts";
import type { Side } from "./side.ts";

/** Every wire, dialect and route, each under its name. */
export const sides: readonly Side[] = [
  anthropicSide,
  ...chatSides,
  ...responsesSides,
  geminiSide,
  interactionsSide,
  bedrockSide,
  ollamaSide,
];

const byName: ReadonlyMap<string, Side> = new Map(sides.map((side) => [side.name, side]));

export function sideNamed(name: string): Side {
  const side = byName.get(name);
  if (side === undefined) throw new TypeError(`There is no side ${name}. Use one of ${[...byName.keys()].join(", ")}.`);
  return side;
}
