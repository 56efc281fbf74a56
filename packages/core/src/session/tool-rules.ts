/** Which calls are not run (rule 25). */
export type ToolRules = {
  /** Why, by the tool's name. */
  readonly bans: ReadonlyMap<string, string>;
  /** Names of tools that the last request declared and did not offer. */
  readonly withdrawn: readonly string[];
};

export const noToolRules: ToolRules = { bans: new Map(), withdrawn: [] };
