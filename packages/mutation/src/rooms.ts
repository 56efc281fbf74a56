/** What is mutated together, and the tests that must notice. Paths are those of `packages/core`. */
export type Room = {
  readonly name: string;
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Tests of the packages that stand on the core, from `packages/`. */
  readonly above?: readonly string[];
  /** Titles of tests that take longer than the patience for a mutant, or measure time. */
  readonly leftOut?: RegExp;
};

export const rooms: readonly Room[] = [
  {
    name: "continuity",
    mutate: ["src/continuity/*.ts"],
    tests: [
      "src/continuity/*.test.ts",
      "test/continuity-places.test.ts",
      "test/continuity-properties.test.ts",
      "test/cases-continuity.test.ts",
    ],
  },
  {
    name: "runner",
    mutate: ["src/overflow/runner.ts"],
    tests: ["src/overflow/runner-state.test.ts"],
  },
  {
    name: "ledger",
    mutate: ["src/ledger/*.ts"],
    tests: [
      "src/ledger/*.test.ts",
      "src/session/*.test.ts",
      "src/overflow/*.test.ts",
      "src/sources/{archive,new-context,system-change,tool-names}.test.ts",
      "test/cases-session.test.ts",
    ],
    leftOut: /in proportion to what is new|with cache marks (planned|off)|can be read back/,
    above: [
      "testing/test/{contract,rules,through,transcripts,unruly}/*.test.ts",
      "testing/test/overflow/{contract,provider-compaction,tight-windows,what-peers-got-wrong}.test.ts",
      "testing/test/soak-sessions.test.ts",
      "testing/test/sources/rules.test.ts",
    ],
  },
];

/** Of the mutants that a test could notice. */
export const scoreMin = 0.8;
