import { defineConfig } from "vitest/config";

// Vite replaces its default conditions by this list, so they are named again behind ours; not `module`, under which the AWS SDK has files that only bundlers can read.
const conditions = ["@tidemark/source", "node", "development|production"];

const project = (name: string, root: string) => ({
  extends: true as const,
  test: { name, root, include: ["src/**/*.test.ts", "test/**/*.test.ts"] },
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Every core: the default leaves one idle, which is half of a machine with two.
    maxWorkers: "100%",
    // A guard against hanging, not a bound on speed: machines are shared, and coverage slows them down. No test has less.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      project("core", "packages/core"),
      project("testing", "packages/testing"),
      project("ai-sdk", "packages/ai-sdk"),
      project("skills", "packages/skills"),
      project("examples", "examples"),
      { extends: true, test: { name: "scripts", root: "scripts", include: ["*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["{packages/*,examples}/{src,test}/**/*.test-d.ts"],
            tsconfig: "tsconfig.json",
            // What is no type test is checked by `pnpm typecheck`, which `pnpm test` runs first.
            ignoreSourceErrors: true,
          },
        },
      },
    ],
    // Of the core, by the tests of all packages.
    coverage: {
      include: ["packages/core/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts"],
      reporter: ["text-summary", "json", "html"],
      thresholds: { lines: 95, branches: 90 },
      // A test that fails is told as such; what the others reach is judged all the same.
      reportOnFailure: true,
    },
  },
});
