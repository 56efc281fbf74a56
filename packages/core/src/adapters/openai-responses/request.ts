import { inWords } from "../../json/in-words.ts";
import { wellFormedTexts } from "../../json/map-texts.ts";
import { pathText } from "../../json/path.ts";
import { copyValue, isArray, isObject, type ObjectValue, refuseSparse, type Value } from "../../json/value.ts";
import { InvalidMessageError, InvalidRequestError } from "../../wire/errors.ts";
import type { Head, OpenRequest } from "../../wire/head.ts";
import type { Profile } from "../../wire/profile.ts";
import type { Reading } from "../../wire/unit.ts";
import { hasTrait } from "./models.ts";
import { isAbsent, readParams, writeParams } from "./params.ts";
import type { Route } from "./routes.ts";
import type { ResponsesRequest } from "./types.ts";
import { composeItems, readItem, spreadItems } from "./view.ts";

/** Takes a request apart. The system text is the leading run of system and developer messages and, where the model renders it ahead of the input, `instructions`. */
export function openRequest(request: ResponsesRequest, route: Route, profile: (model: string) => Profile): OpenRequest {
  if (!isObject(request)) throw new InvalidRequestError("$", "a request must be an object");
  const {
    model: named,
    input,
    messages,
  } = request as unknown as { readonly model: unknown; readonly input: unknown; readonly messages: unknown };
  // Without this it would go out with an empty input.
  if (isAbsent(input) && isArray(messages))
    throw new InvalidRequestError(
      "$.messages",
      "Responses has input. For a request with messages make the session with openaiChat(), or anthropic()",
    );
  // A template on the server may name the model.
  const model = isAbsent(named) ? "" : named;
  if (typeof model !== "string") throw new InvalidRequestError("$.model", "model must be a string");
  const items = itemsOf(input);
  const lead = leadOf(items);
  const leading = items.slice(0, lead).map((item, index) => readLeading(item, index));
  const system = leading.filter(({ units }) => units.length > 0);
  return {
    head: {
      model,
      system: [
        ...instructionsOf(request, profile(model)),
        ...system.map(({ nativeRole, units }) => composeItems(nativeRole, units, route)),
      ],
      tools: readTools(request),
      params: readParams(request),
    },
    messages: items.slice(lead),
    lead,
    headMarks: systemMarks(system),
  };
}

export type Closing = {
  readonly route: Route;
  readonly profile: Profile;
  /** Ask for all turns' reasoning to be rendered, and for its ciphertext. */
  readonly asksForReasoning: boolean;
};

/** The host's own request with this head and these items in place of its own, and as its route takes it. */
export function closeRequest<R extends ResponsesRequest>(request: R, head: Head, messages: readonly ObjectValue[], closing: Closing): R {
  const { route, profile } = closing;
  const closed: Record<string, unknown> = { ...(request as object), ...(head.model === "" ? {} : { model: head.model }) };
  writeParams(closed, head.params);
  const [first, ...others] = head.system;
  const instructions = first !== undefined && typeof first.role !== "string" ? first.text : undefined;
  if (instructions !== undefined) closed.instructions = instructions;
  else if (profile.instructions !== "behind" && typeof closed.instructions === "string" && closed.instructions !== "")
    delete closed.instructions;
  closed.input = [...(instructions === undefined ? head.system : others), ...messages.flatMap(spreadItems)];
  if (head.tools.length > 0) closed.tools = head.tools;
  else delete closed.tools;
  if (closing.asksForReasoning) askForReasoning(closed, profile);
  for (const name of route.refuses) delete closed[name];
  return Object.assign(closed, route.sets) as R;
}

/** A Responses request has `input`, or a template or conversation in its place, and no list of messages. */
export function recognises({ input, messages, contents, prompt, previous_response_id, conversation }: ObjectValue): boolean {
  if (messages !== undefined || contents !== undefined) return false;
  return (
    typeof input === "string" || isArray(input) || isObject(prompt) || [previous_response_id, conversation].some((held) => !isAbsent(held))
  );
}

/** A definition's name; tools of the provider have a type only, which their label tells apart. */
export function toolName({ name, type, server_label }: ObjectValue): string {
  return inWords(name ?? (server_label === undefined ? type : `${inWords(type ?? "")} ${inWords(server_label)}`) ?? "");
}

const ciphertext = "reasoning.encrypted_content";

/**
 * Reasoning goes back whole, so that all turns' must be rendered: models before GPT-5.6 render the current turn's only, and every new turn would
 * read another prefix (facts 2.4). Where nothing is stored the ciphertext is needed; it is asked for, as routes differ in what they give unasked.
 */
function askForReasoning(closed: Record<string, unknown>, profile: Profile): void {
  if (!hasTrait(profile, "reasons")) return;
  const reasoning = isObject(closed.reasoning) ? closed.reasoning : {};
  if (hasTrait(profile, "current-turn") && isAbsent(reasoning.context)) closed.reasoning = { ...reasoning, context: "all_turns" };
  const include = isArray(closed.include) ? closed.include : [];
  if (closed.store === false && !include.includes(ciphertext)) closed.include = [...include, ciphertext];
}

function itemsOf(input: unknown): readonly unknown[] {
  if (isAbsent(input)) return [];
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (!Array.isArray(input)) throw new InvalidRequestError("$.input", "input must be a string or a list of items");
  refuseSparse(input, ["input"]);
  return input;
}

/** A field that is a plain string: one part with nothing but its text. */
function instructionsOf({ instructions }: ObjectValue, profile: Profile): readonly ObjectValue[] {
  if (typeof instructions !== "string" || instructions === "" || profile.instructions === "behind") return [];
  return [Object.freeze({ text: wellFormedTexts(instructions) as string })];
}

function leadOf(items: readonly unknown[]): number {
  const end = items.findIndex((item) => !isObject(item) || !isSystemMessage(item));
  return end < 0 ? items.length : end;
}

function isSystemMessage({ type, role }: ObjectValue): boolean {
  return (isAbsent(type) || type === "message") && (role === "system" || role === "developer");
}

function readLeading(item: unknown, index: number): Reading {
  const copy = wellFormedTexts(copyValue(item, ["input", index]));
  try {
    return readItem(copy as ObjectValue);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw new InvalidRequestError(`${pathText(["input", index])}${error.path?.slice(1) ?? ""}`, error.problem);
  }
}

function readTools({ tools }: ObjectValue): readonly ObjectValue[] {
  if (isAbsent(tools)) return [];
  const copies = wellFormedTexts(copyValue(tools, ["tools"]));
  if (!isArray(copies)) throw new InvalidRequestError("$.tools", "tools must be a list");
  const odd = copies.findIndex((tool: Value) => !isObject(tool));
  if (odd >= 0) throw new InvalidRequestError(pathText(["tools", odd]), "a tool must be an object");
  return copies as readonly ObjectValue[];
}

/** Counted over the parts of all leading messages. */
function systemMarks(leading: readonly Reading[]): OpenRequest["headMarks"] {
  let before = 0;
  return leading.flatMap(({ units, marks }) => {
    const isPart = units.map(({ kind }) => kind !== "fields");
    const first = before - isPart.indexOf(true);
    before += isPart.filter(Boolean).length;
    return marks.map(({ unit, mark }) => ({ part: "system" as const, index: first + unit, mark }));
  });
}
