import { describe, expect, test } from "vitest";
import { archiveReference } from "./archive.ts";
import { inMemoryArchive } from "./in-memory-archive.ts";

describe("an archive (rules 13 and 43)", () => {
  test("gives back what was put under a reference, and undefined for one that it does not know", async () => {
    const archive = inMemoryArchive();
    const record = { reference: archiveReference("text"), kind: "result", text: "text", about: { tool: "read" } } as const;
    await archive.put(record);
    await archive.put(record);
    expect(await archive.get(record.reference)).toEqual(record);
    expect(await archive.get("nothing")).toBeUndefined();
  });

  test("is named by references that follow from the text alone", () => {
    expect(archiveReference("text")).toBe(archiveReference("text"));
    expect(archiveReference("text")).toMatch(/^[0-9a-f]{12}$/);
    expect(archiveReference("text")).not.toBe(archiveReference("text "));
  });
});
