import type { Path } from "../../packages/core/src/json/path.ts";
import type { ObjectValue } from "../../packages/core/src/json/value.ts";
import { anthropicRuleSamples } from "../../packages/core/test/rule-samples/anthropic.ts";
import { geminiRuleSamples } from "../../packages/core/test/rule-samples/gemini.ts";
import { interactionRuleSamples } from "../../packages/core/test/rule-samples/gemini-interactions.ts";
import { ollamaRuleSamples } from "../../packages/core/test/rule-samples/ollama.ts";
import { chatRuleSamples } from "../../packages/core/test/rule-samples/openai-chat.ts";
import { type Answer, type Experiment, errorText, succeeded } from "./experiment.ts";
import { type ProviderName, providerOf, providers } from "./providers.ts";

type Sample = { readonly rule: string; readonly fails: object; readonly passes: object; readonly dialect?: string };

const samples: readonly (readonly [ProviderName, readonly Sample[]])[] = [
  ["anthropic", anthropicRuleSamples],
  ["gemini", geminiRuleSamples],
  ["interactions", interactionRuleSamples],
  ["openai", chatRuleSamples],
  ["ollama", ollamaRuleSamples],
];

/** An experiment for each sample of a rule that is likely or weak: is what should be refused refused, and what should pass not? */
export function ruleExperiments(): readonly Experiment[] {
  return samples.flatMap(([provider, list]) => list.flatMap((sample) => experimentOf(sample, provider)));
}

function experimentOf(sample: Sample, usual: ProviderName): readonly Experiment[] {
  const provider = (sample.dialect ?? usual) as ProviderName;
  if (!Object.hasOwn(providers, provider)) return [];
  const { wire, model } = providerOf(provider);
  const breached = wire.rules.find(
    ({ id, check }) =>
      id === sample.rule &&
      check(sample.fails as ObjectValue, {
        profile: wire.profile(modelOf(sample.fails) ?? model),
        betas: undefined,
        version: undefined,
      }) !== undefined,
  );
  if (breached === undefined || breached.grade === "sure") return [];
  const places = wire.abilities.places?.outputCap ?? [];
  const small = (request: object) => () => withCap(modelOf(request)?.includes("-") === true ? request : { ...request, model }, places);
  return [
    {
      id: `${provider} ${sample.rule}`,
      provider,
      asks: `Is what rule ${sample.rule} forbids refused, and its nearest neighbour not?`,
      decides: `rule ${sample.rule} of ${wire.name} (${breached.grade})`,
      steps: [
        { title: "forbidden", request: small(sample.fails) },
        { title: "allowed", request: small(sample.passes) },
      ],
      judge: verdict,
    },
  ];
}

function verdict([forbidden, allowed]: readonly Answer[]): string {
  if (forbidden === undefined || allowed === undefined) return "not answered";
  if (succeeded(forbidden)) return "DOES NOT HOLD: it was accepted. Drop the rule, or lower its grade.";
  const words = `status ${forbidden.status}: ${errorText(forbidden)}`;
  if (!succeeded(allowed))
    return `UNCLEAR: its neighbour was refused, too (status ${allowed.status}: ${errorText(allowed)}). The rule said: ${words}`;
  return `HOLDS, ${words}`;
}

function modelOf(request: object): string | undefined {
  const { model } = request as { readonly model?: unknown };
  return typeof model === "string" ? model : undefined;
}

const outputTokensMax = 16;

/** The same request, asking for next to no output: what it generates is of no interest. */
function withCap(request: object, places: readonly Path[]): object {
  const [place] = places;
  return place === undefined ? request : withMember(request, place);
}

function withMember(holder: object, [name = "", ...inside]: Path): object {
  const held = (holder as Readonly<Record<string, unknown>>)[name];
  const inner = typeof held === "object" && held !== null ? held : {};
  return { ...holder, [name]: inside.length === 0 ? outputTokensMax : withMember(inner, inside) };
}
