import { type ReplayedRequest, replayRequest } from "../ledger/replay-log.ts";
import { policyVersion } from "./policy.ts";

/**
 * Rebuilds request `n` of a replay log, counted from 0: head fields and messages as they were sent, but for cache marks, headers and the bytes of media, which stand as
 * their digests. Reads nothing but the records up to it.
 * @throws {ReplayError} `replay-version`, `replay-damaged`, `replay-missing`, or `replay-drift` with the first message that differs.
 */
export function replay(records: readonly unknown[], n: number): ReplayedRequest {
  return replayRequest(records, n, policyVersion);
}
