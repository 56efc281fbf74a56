import type { RequestRow } from "./request-row.ts";

/** What must not happen in a run through Tidemark, in words; none is the promise. `edits`: positions of the requests before which the host changed what it had said. */
export function faultsOf(rows: readonly RequestRow[], edits: readonly number[]): readonly string[] {
  return rows.flatMap((row, position) => {
    const number = position + 1;
    const edited = edits.includes(position);
    const faults = row.rejections.map((words) => `Request ${number} was rejected: ${words}`);
    if (!edited)
      faults.push(
        ...row.checkpoints.map(
          ({ reason, path }) => `Request ${number} has a checkpoint although the host changed nothing: ${reason} at ${path}`,
        ),
      );
    if (edited && row.checkpoints.length === 0) faults.push(`Request ${number} has no checkpoint although the host edited what was sent`);
    const before = rows[position - 1];
    if (before !== undefined && row.checkpoints.length === 0 && cacheRead(row) < cachedBy(before))
      faults.push(
        `Request ${number} read ${cacheRead(row)} tokens of the ${cachedBy(before)} that were cached before it, and no checkpoint says why`,
      );
    return faults;
  });
}

function cacheRead({ usage }: RequestRow): number {
  return usage?.cacheRead ?? 0;
}

/** What stood in the cache after a request: what it read and what it wrote. */
function cachedBy({ usage }: RequestRow): number {
  return (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
}
