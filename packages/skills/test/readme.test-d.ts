// #region readme
import { createSession, skill } from "@tidemark/core";
import { anthropic } from "@tidemark/core/anthropic";
import { loadSkill } from "@tidemark/skills";

const mode = skill();
const session = createSession({ wire: anthropic(), sources: [mode] });

session.set(mode, await loadSkill("skills/tide-tables")); // said at the end of the next request
session.clear(mode); // taken back in the one after
// #endregion readme

test("a session takes a skill as the page says", () => {
  expectTypeOf(session.set).toBeFunction();
});

import { expectTypeOf, test } from "vitest";
