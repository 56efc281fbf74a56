import { freezeValue, isObject, type ObjectValue, type Profile, type Wire } from "@tidemark/core/adapter";
import { anthropic } from "@tidemark/core/anthropic";
import { familyOfModel } from "./families.ts";

const { settings, toolChanges } = anthropic().inBand ?? {};
/** The package's own, for any system message that is not the first. */
const systemBeta = "mid-conversation-system-2026-04-07";

/**
 * Anthropic's package takes changes as options of a system message without words, and puts that message where it stands. It names a beta only once it is needed; here they are named from
 * the first request on, since they enter the prompt. Source: `anthropicSystemMessageProviderOptions` of `@ai-sdk/anthropic` 4.0.105.
 */
export const inBand: NonNullable<Wire["inBand"]> = {
  toolChanges: {
    betas: [systemBeta, ...(toolChanges?.betas ?? [])],
    on: ({ inBand: changes = [] }) => changes.includes("tools"),
    takes: ({ type }) => type === "function",
    withdraws: true,
    say: ({ define, offer, withdraw }) =>
      saying({
        toolChanges: [
          ...define.map((tool) => ({ type: "tool_addition", tool })),
          ...offer.map((name) => ({ type: "tool_addition", toolName: name })),
          ...withdraw.map((name) => ({ type: "tool_removal", toolName: name })),
        ],
      }),
  },
  settings: {
    betas: [systemBeta, ...(settings?.betas ?? [])],
    on: ({ inBand: changes = [] }) => changes.includes("effort"),
    split: (params, profile) => {
      const effort = effortIn(params);
      const asked: ObjectValue = effort === undefined ? {} : { output_config: { effort } };
      return { settings: settings?.split(asked, profile).settings ?? {}, others: withEffort(params, undefined) };
    },
    say: ({ effort = null }) => saying({ effort }),
  },
  announce: (request, betas) => ({ request, headers: { "anthropic-beta": [...new Set(betas)].join(",") } }),
};

function saying(options: ObjectValue): ObjectValue {
  return freezeValue({ role: "system", content: "", providerOptions: { anthropic: options } });
}

/** Options by which Anthropic's package leaves a late system message where it stands, words and all; without them it moves it to the start of a request that begins with none. */
const keeping: readonly string[] = ["toolChanges", "clearAt", "effort"];

export function systemStays({ providerOptions }: ObjectValue, { id }: Profile): boolean {
  if (familyOfModel(id) !== "anthropic" || !isObject(providerOptions) || !isObject(providerOptions.anthropic)) return false;
  const { anthropic } = providerOptions;
  return keeping.some((name) => anthropic[name] !== undefined && anthropic[name] !== null);
}

/** The effort that a request names for itself. */
export function effortIn({ providerOptions }: ObjectValue): ObjectValue[string] | undefined {
  return isObject(providerOptions) && isObject(providerOptions.anthropic) ? providerOptions.anthropic.effort : undefined;
}

/** The request, or the parameters of one, with this effort named; undefined: with none. */
export function withEffort<R extends ObjectValue>(request: R, effort: ObjectValue[string] | undefined): R {
  if (effortIn(request) === effort) return request;
  const { anthropic: own, ...others } = (request.providerOptions ?? {}) as Record<string, ObjectValue>;
  const { effort: _effort, ...rest } = own ?? {};
  const named = effort === undefined ? rest : { ...rest, effort };
  const providerOptions = { ...others, ...(Object.keys(named).length > 0 && { anthropic: named }) };
  const { providerOptions: _options, ...members } = request;
  return { ...members, ...(Object.keys(providerOptions).length > 0 && { providerOptions }) } as unknown as R;
}
