import type Anthropic from "@anthropic-ai/sdk";
import { diceOf } from "./dice.ts";
import type { ToolServer } from "./toolbox.ts";

/** What the assistant of a small museum can look up: three tool servers whose answers follow from the seed and the call alone. */
export function museumServers(seed: string): readonly ToolServer[] {
  const answer = (tool: string, input: unknown): string => {
    const respond = answers[tool];
    if (respond === undefined) throw new Error(`No server answers ${tool}.`);
    return respond(`${seed} ${tool} ${JSON.stringify(input)}`, input as Readonly<Record<string, unknown>>);
  };
  return Object.entries(offers).map(([name, tools]) => ({ name, tools, call: answer }));
}

export const makers = ["Halloran", "Vestergaard", "Okonkwo & Sons", "Brügger", "Tamaki", "Ferreira"] as const;
export const kinds = ["sextant", "marine chronometer", "sundial", "star globe", "pendulum clock", "barometer"] as const;
export const borrowers = ["Aarhus", "Valletta", "Porto", "Gdansk", "Trieste", "Bergen"] as const;
export const months = ["March", "April", "May", "June", "September", "October"] as const;
const rooms = ["north gallery", "rotunda", "print room", "long hall"] as const;
const states = ["stable", "stable, dial crazed", "verdigris at the hinge", "loose in its mount", "cleaned, sound"] as const;
const words = "case dial hinge lacquer mount pivot plinth silk varnish brass felt glass label ledger".split(" ");

type Respond = (seed: string, input: Readonly<Record<string, unknown>>) => string;

const answers: Readonly<Record<string, Respond>> = {
  search_collection: (seed) =>
    lines(seed, 6, (dice) => `${inventoryNumber(dice.below(900))}  ${dice.pick(kinds)}, ${dice.pick(makers)}, ${1720 + dice.below(170)}`),
  object_record: (seed, input) => [`Record ${String(input["number"])}`, prose(seed, 90)].join("\n"),
  condition_report: (seed, input) => {
    const dice = diceOf(seed);
    return [`Condition of ${String(input["number"])}: ${dice.pick(states)}. Weight ${1 + dice.below(40)} kg.`, prose(seed, 60)].join("\n");
  },
  climate_log: (seed, input) => lines(seed, input["period"] === "year" ? 2_190 : 42, climateLine),
  room_plan: (seed, input) =>
    lines(seed, 14, (dice, at) => `${String(input["room"])}, bay ${at + 1}: ${2 + dice.below(6)} m of wall, ${30 + dice.below(90)} lux`),
  loan_calendar: (seed) =>
    lines(
      seed,
      9,
      (dice) => `${dice.pick(months)}: ${dice.pick(borrowers)}, ${1 + dice.below(5)} objects, courier ${dice.pick(["booked", "open"])}`,
    ),
  quote_crate: (seed) => {
    const dice = diceOf(seed);
    return `Crate ${40 + dice.below(80)} x ${40 + dice.below(60)} x ${30 + dice.below(40)} cm, foam and felt, ready in ${2 + dice.below(9)} days, ${180 + dice.below(700)} euros.`;
  },
  draft_letter: (seed) => `Saved as draft ${100 + diceOf(seed).below(900)}. It is not sent until the registrar signs it.`,
};

function climateLine(dice: ReturnType<typeof diceOf>, at: number): string {
  const [day, hour] = [1 + Math.floor(at / 6), (at % 6) * 4];
  return `day ${day} ${String(hour).padStart(2, "0")}:00  ${(18 + dice.below(40) / 10).toFixed(1)} C  ${44 + dice.below(14)} % RH`;
}

function lines(seed: string, count: number, line: (dice: ReturnType<typeof diceOf>, at: number) => string): string {
  const dice = diceOf(seed);
  return Array.from({ length: count }, (_, at) => line(dice, at)).join("\n");
}

function prose(seed: string, count: number): string {
  const dice = diceOf(seed);
  return Array.from({ length: count }, (_, at) => dice.pick(words) + (at % 12 === 11 ? ".\n" : "")).join(" ");
}

export function inventoryNumber(serial: number): string {
  return `LM.${String(serial + 100).padStart(4, "0")}`;
}

const number = { type: "string", description: "Inventory number, such as LM.0412." };
const room = { type: "string", enum: [...rooms] };

function tool(name: string, description: string, properties: Readonly<Record<string, object>>): Anthropic.Tool {
  return { name, description, input_schema: { type: "object", properties, required: Object.keys(properties) } };
}

const offers: Readonly<Record<string, readonly Anthropic.Tool[]>> = {
  collection: [
    tool("search_collection", "Finds objects of the collection by maker, kind or words of the record.", {
      query: { type: "string" },
      limit: { type: "integer", minimum: 1 },
    }),
    tool("object_record", "The catalogue record of one object: provenance, measures, materials, exhibitions.", { number }),
    tool("condition_report", "The last condition report of one object, with the conservator's remarks.", {
      number,
      detail: { type: "boolean" },
    }),
  ],
  building: [
    tool("climate_log", "Temperature and relative humidity of a room, every four hours.", {
      room,
      period: { type: "string", enum: ["week", "year"] },
    }),
    tool("room_plan", "Bays of a room with free wall and light level.", { room, floor: { type: "integer" } }),
  ],
  lending: [
    tool("loan_calendar", "Loans that are agreed, by month and borrower.", { month: { type: "string" }, borrower: { type: "string" } }),
    tool("quote_crate", "Price and time for a travelling crate.", { number, insulated: { type: "boolean" }, borrower: { type: "string" } }),
    tool("draft_letter", "Saves a letter as a draft for the registrar to sign.", { to: { type: "string" }, body: { type: "string" } }),
  ],
};

export const galleryRooms: readonly string[] = rooms;
