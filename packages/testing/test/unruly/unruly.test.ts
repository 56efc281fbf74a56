import { describe, it } from "vitest";
import type { WireSubject } from "../../src/contract.ts";
import { seededActor } from "../../src/simulator/actor.ts";
import { bedrockSimulator } from "../../src/simulator/bedrock/server.ts";
import { ollamaSimulator } from "../../src/simulator/ollama/server.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { bedrockSubject } from "../contract/bedrock-subject.ts";
import { ollamaSubject } from "../contract/ollama-subject.ts";
import { UnrulyHost } from "./unruly-host.ts";

const stepCount = 40;
const seeds = Array.from({ length: 6 }, (_, index) => `unruly ${index}`);
const actor = (seed: string) => seededActor({ seed, hides: 0.2, finishes: 0.4, empties: 0.05 });

const hosts: readonly (readonly [name: string, subject: WireSubject, simulator: (seed: string) => Simulator])[] = [
  [
    "bedrock, Claude",
    bedrockSubject("bedrock, Claude", "us.anthropic.claude-opus-5-5", true),
    (seed) => bedrockSimulator({ seed, script: actor(seed) }),
  ],
  [
    "bedrock, a model that does not sign",
    bedrockSubject("bedrock, Nova", "us.amazon.nova-pro-v1:0", false),
    (seed) => bedrockSimulator({ seed, script: actor(seed) }),
  ],
  ["ollama, calls with ids", ollamaSubject("ollama", true), (seed) => ollamaSimulator({ seed, script: actor(seed) })],
  ["ollama, calls without ids", ollamaSubject("ollama", false), (seed) => ollamaSimulator({ seed, callIds: false, script: actor(seed) })],
];

describe.each(hosts)("whatever a host does, a strict provider takes each request: %s", (_, subject, simulatorOf) => {
  it.each(seeds)("%s", async (seed) => {
    const host = new UnrulyHost(subject, simulatorOf(seed), seed);
    for (let step = 0; step < stepCount; step++) await host.step();
  });
});
