import { readdirSync, readFileSync } from "node:fs";
import type { DialectName } from "../src/adapters/openai-chat/index.ts";
import type { ObjectValue, Value } from "../src/json/value.ts";

/** A look into the prepared request; see `cases/README.md`. */
export type SentTest = {
  readonly path: string;
  readonly equals?: Value;
  readonly contains?: string;
  readonly notContains?: string;
  readonly absent?: boolean;
};

export type Expectation = {
  readonly stable: boolean;
  readonly reason?: string;
  readonly at?: number;
  readonly repairs?: number;
  readonly error?: string;
  readonly sent?: readonly SentTest[];
};

export type CaseRequest = ObjectValue & { readonly model: string; readonly messages: readonly ObjectValue[] };

export type Case = {
  readonly id: string;
  readonly title: string;
  readonly wire: string;
  readonly dialect?: DialectName;
  readonly requests: readonly CaseRequest[];
  readonly session: readonly Expectation[];
  readonly tokens?: { readonly min: number; readonly max: number; readonly request?: number };
  readonly options?: {
    readonly overflow?: string;
    readonly window?: { readonly limit: number; readonly output: number; readonly highWater?: number; readonly lowWater?: number };
    readonly summarizer?: readonly {
      readonly text?: string;
      readonly complete?: boolean;
      readonly refused?: boolean;
      readonly throws?: string;
    }[];
    readonly toolResultCap?: number;
    readonly settle?: readonly { readonly usage: ObjectValue }[];
  };
};

const folder = new URL("cases/", import.meta.url);

export function readCases(): readonly Case[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Case);
}
