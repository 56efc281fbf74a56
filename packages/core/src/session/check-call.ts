import type { Entry } from "../ledger/entry.ts";
import { lastTurn } from "../ledger/state.ts";
import { fill } from "../ledger/wordings.ts";
import { toolsAdded } from "../sources/tool-changes.ts";
import { meanings, refuses } from "../sources/tool-names.ts";
import type { Head } from "../wire/head.ts";
import type { Wire } from "../wire/wire.ts";
import type { SessionState } from "./session-state.ts";

/** Names of all tools that a window knows: those of its head, and those that its events define. */
export function declaredNames(wire: Wire, head: Head, entries: readonly Entry[]): readonly string[] {
  return [...head.tools, ...toolsAdded(wire, entries)].map((tool) => wire.toolName(tool));
}

/** Under whatever name it goes, a banned or withdrawn tool is not run: namespaces, aliases and other spellings mean the tool that they end in, and the namespace. */
export function refusalOf<W extends object>(
  { ledger, toolRules, wordings, options, wire }: SessionState<W>,
  called: string,
): string | undefined {
  const { bans, withdrawn } = toolRules;
  const last = lastTurn(ledger);
  const declared = last === undefined ? [] : declaredNames(wire as unknown as Wire, last.head, last.entries);
  const aliases = options.toolAliases ?? {};
  const name = (Object.hasOwn(aliases, called) ? aliases[called] : undefined) ?? called;
  const banned = [...bans.keys()].find((ban) => refuses(ban, name, declared));
  if (banned !== undefined) return fill(wordings.toolBanned, { name: called, reason: bans.get(banned) ?? "" }).trim();
  const isWithdrawn = meanings(name, declared).some((meant) => withdrawn.includes(meant));
  return isWithdrawn ? fill(wordings.toolWithdrawn, { name: called }) : undefined;
}

export function banTool<W extends object>(session: SessionState<W>, name: string, reason: string): void {
  session.toolRules = { ...session.toolRules, bans: new Map(session.toolRules.bans).set(name, reason) };
}

export function allowTool<W extends object>(session: SessionState<W>, name: string): void {
  const bans = new Map(session.toolRules.bans);
  bans.delete(name);
  session.toolRules = { ...session.toolRules, bans };
}
