import { expect, test } from "vitest";
import { gatherChangelogs } from "./changelog.ts";

const core = `# @tidemark/core

## 0.10.0

### Minor Changes

- 1a2b3c4: Forks share their entries.

  A second paragraph of it.

### Patch Changes

- 5d6e7f8: Cards are dealt in order.

## 0.9.0

### Minor Changes

- 9a9a9a9: First.
`;

const testing = `# @tidemark/testing

## 0.10.0

### Minor Changes

- 1a2b3c4: Forks share their entries.

  A second paragraph of it.

### Patch Changes

- Updated dependencies [1a2b3c4]
  - @tidemark/core@0.10.0
`;

test("changes are gathered by version, newest first, and said once with their packages", () => {
  const texts = new Map([
    ["core", core],
    ["testing", testing],
  ]);
  expect(gatherChangelogs(texts)).toBe(`# Changelog

## 0.10.0

### Minor Changes

- core, testing: 1a2b3c4: Forks share their entries.

  A second paragraph of it.

### Patch Changes

- core: 5d6e7f8: Cards are dealt in order.

## 0.9.0

### Minor Changes

- core: 9a9a9a9: First.
`);
});

test("no changelogs make an empty one", () => {
  expect(gatherChangelogs(new Map())).toBe("# Changelog\n\n");
});
