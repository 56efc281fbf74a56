import type { ShapeRule } from "../../wire/rule.ts";
import { cacheRules } from "./rules-cache.ts";
import { compactionRules } from "./rules-compaction.ts";
import { fieldRules } from "./rules-fields.ts";
import { endRules, messageRules } from "./rules-messages.ts";
import { pairingRules } from "./rules-pairing.ts";
import { parameterRules } from "./rules-parameters.ts";
import { systemRules } from "./rules-system.ts";
import { toolRules } from "./rules-tools.ts";

/**
 * The shape rules of the Messages endpoint: fields, parameters, tools and cache marks, then the conversation. A rule whose grade differs by
 * case is several rules of one id. What only a server can know has no rule here: whether a signature is good (AN-12, 13, 14), how long the
 * prompt is in tokens (AN-25), and what an earlier reply held (AN-28).
 *
 * Give them a frozen request (`copyValue` makes one): what was seen of a frozen message is remembered.
 */
export const rules: readonly ShapeRule[] = [
  fieldRules,
  parameterRules,
  toolRules,
  cacheRules,
  messageRules,
  pairingRules,
  systemRules,
  compactionRules,
  endRules,
].flat();
