import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Speaker, speakers } from "../../test/speakers.ts";
import { allOf, breaks, bytes, sent, Talk, type TalkOptions } from "../../test/talk.ts";
import { inMemoryArchive } from "../sources/in-memory-archive.ts";
import { estimateText } from "../wire/tokens.ts";

const lines = (count: number, from = 1): string => Array.from({ length: count }, (_, at) => `line ${from + at} of the file`).join("\n");

const withoutArchive = { archive: undefined } as unknown as TalkOptions;

async function capped(speaker: Speaker, text: string, options: TalkOptions = {}): Promise<Talk> {
  const talk = new Talk({ toolResultCap: 256, archive: inMemoryArchive(), ...options }, speaker);
  await talk.ask("one");
  talk.answer({ calls: [{ id: "c1", name: "read" }] });
  await talk.results(["c1", text]);
  return talk;
}

function reference(talk: Talk): string {
  return talk.turn?.repairs.resultsCapped[0]?.reference ?? "none";
}

async function recall(talk: Talk, input: object): Promise<string> {
  const outcome = await talk.session.tools.call("recall", input);
  return `${outcome?.isError === true ? "error: " : ""}${outcome?.text}`;
}

describe.each(speakers)("a result above its cap on $name (rule 13)", (speaker) => {
  test("goes out head and tail; its marker names the lines left out and how to get them back, and counts within the cap", async () => {
    const talk = await capped(speaker, lines(400));
    expect(allOf(talk.turn)).toMatch(
      /line 1 of the file.*\[lines \d+-\d+ of 400 left out; call recall with reference .{1,2}[0-9a-f]{12}.{1,2} to read them\].*line 400 of the file/,
    );
    const [counted] = talk.turn?.repairs.resultsCapped ?? [];
    expect(counted).toMatchObject({ id: "c1", tool: "read", cap: 256, reference: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(estimateText(JSON.stringify(sent(talk.turn).at(-1)))).toBeLessThan(256 + 40);
    expect(JSON.stringify(talk.turn?.repairs)).not.toContain("line 200");
  });

  test("comes back by the recall tool: lines, lines that match, or the whole, each within the tool's cap", async () => {
    const talk = await capped(speaker, lines(400));
    const known = { reference: reference(talk) };
    expect(await recall(talk, { ...known, lines: [200, 202] })).toBe(
      "200: line 200 of the file\n201: line 201 of the file\n202: line 202 of the file",
    );
    expect(await recall(talk, { ...known, match: "LINE 399" })).toBe("399: line 399 of the file");
    expect(await recall(talk, { ...known, match: "nowhere" })).toBe("No line of 1-400 holds these words.");
    const whole = await recall(talk, known);
    expect(whole).toMatch(/^line 1 of the file\n[\s\S]*\[go on with lines \[\d+, 400\]; the text has 400\]$/);
    expect(estimateText(whole)).toBeLessThanOrEqual(256);
    for (const input of [
      {},
      { reference: "000000000000" },
      { ...known, lines: [500, 501] },
      { ...known, lines: [3, 2] },
      { ...known, lines: "all" },
    ])
      expect(await recall(talk, input)).toMatch(/^error: /);
  });

  test("names and recalls the file's own lines, where the host says where a reader began", async () => {
    const talk = await capped(speaker, lines(400, 1_001), { lines: () => ({ from: 1_001 }) });
    expect(allOf(talk.turn)).toMatch(/\[lines 10\d\d-1\d\d\d of 1400 left out/);
    expect(await recall(talk, { reference: reference(talk), lines: [1_200, 1_200] })).toBe("1200: line 1200 of the file");
  });

  test("can be read through by following the recall tool, and no answer of it is capped again", async () => {
    const text = lines(300);
    const talk = await capped(speaker, text);
    const known = reference(talk);
    const read: string[] = [];
    let next: readonly [number, number] | undefined = [1, 300];
    for (let turn = 0; next !== undefined && turn < 40; turn++) {
      talk.answer({ calls: [{ id: `r${turn}`, name: "recall", input: { reference: known, lines: next } }] });
      const told = await recall(talk, { reference: known, lines: next });
      const before = bytes(talk.turn);
      const sentTurn = await talk.results([`r${turn}`, told]);
      expect(sentTurn.repairs.resultsCapped).toEqual([]);
      expect(bytes(sentTurn).slice(0, before.length)).toEqual(before);
      read.push(...told.split("\n").filter((line) => /^\d+: /.test(line)));
      const on = /go on with lines \[(\d+), (\d+)\]/.exec(told);
      next = on === null ? undefined : [Number(on[1]), Number(on[2])];
    }
    expect(read.map((line) => line.replace(/^\d+: /, "")).join("\n")).toBe(text);
  });

  test("has the same marker and reference for the same text, in every session", async () => {
    const [one, other] = [await capped(speaker, lines(400)), await capped(speaker, lines(400))];
    expect(bytes(one.turn)).toEqual(bytes(other.turn));
  });

  test("stays as it was sent, whatever the cap is later, and behind a restore (rules 2 and 48)", async () => {
    const talk = await capped(speaker, lines(400));
    const before = bytes(talk.turn);
    talk.answer({ text: "read" });
    talk.restore({ toolResultCap: 1_000 });
    const turn = await talk.ask("two");
    expect(bytes(turn).slice(0, before.length)).toEqual(before);
    expect(breaks(turn)).toEqual([]);
  });

  test("that comes late or without its call is capped and archived, too", async () => {
    const talk = new Talk({ toolResultCap: 256, archive: inMemoryArchive(), deferred: () => true }, speaker);
    await talk.ask("one");
    talk.answer({ calls: [{ id: "c1", name: "build" }] });
    await talk.ask("go on");
    talk.answer({ text: "yes" });
    await talk.results(["c1", lines(400)]);
    expect(talk.turn?.repairs).toMatchObject({ resultsLate: ["c1"], resultsCapped: [{ id: "c1", tool: "build" }] });
    expect(await recall(talk, { reference: reference(talk), lines: [7, 7] })).toBe("7: line 7 of the file");
  });

  test("is not named without an archive, and there is no recall tool then", async () => {
    const talk = await capped(speaker, lines(400), withoutArchive);
    expect(allOf(talk.turn)).toMatch(/\[lines \d+-\d+ of 400 left out\]/);
    expect(talk.session.tools.own).toEqual([]);
  });
});

describe("caps", () => {
  test("follow the window and can be asked for: 1/48 of high water within 3,072 and 16,384 tokens", async () => {
    const [speaker] = speakers;
    const talk = new Talk(
      { toolResultCap: (tool, standard) => (tool === "read" ? standard * 2 : tool === "log" ? false : undefined) },
      speaker,
    );
    expect(talk.session.resultCap("bash")).toBe(3_072);
    await talk.ask("one");
    expect(talk.session.resultCap("bash")).toBe(Math.floor(((1_000_000 - 1_000) * 3) / 4 / 48));
    expect(talk.session.resultCap("read")).toBe((talk.session.resultCap("bash") ?? 0) * 2);
    expect(talk.session.resultCap("log")).toBeUndefined();
  });
});

describe("an archive that fails", () => {
  test("fails the request that needs it, typed, and leaves no trace; the next one goes on (rule 46)", async () => {
    let fails = true;
    const kept = inMemoryArchive();
    const archive = {
      ...kept,
      put: (record: Parameters<typeof kept.put>[0]) => {
        if (fails) throw new Error("disk full");
        return kept.put(record);
      },
    };
    const [speaker] = speakers;
    const talk = new Talk({ toolResultCap: 256, archive }, speaker);
    await talk.ask("one");
    talk.answer({ calls: [{ id: "c1", name: "read" }] });
    await expect(talk.results(["c1", lines(400)])).rejects.toMatchObject({ code: "archive" });
    fails = false;
    const turn = await talk.send();
    expect(breaks(turn)).toEqual([]);
    expect(await recall(talk, { reference: reference(talk), lines: [1, 1] })).toBe("1: line 1 of the file");
  });
});

describe("recall of any text (property)", () => {
  test("gives back every line within the cap, whatever the text", async () => {
    const [speaker] = speakers;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { minLength: 30, maxLength: 90 }), async (parts) => {
        const text = `${lines(120)}\n${parts.join("\n")}`;
        const talk = await capped(speaker as Speaker, text);
        const all = text.toWellFormed().split("\n");
        const last = all.at(-1) === "" ? all.length - 1 : all.length;
        const to = Math.min(130, last);
        const told = (await recall(talk, { reference: reference(talk), lines: [121, to] })).split("\n");
        const on = /^\[go on with lines \[(\d+), \d+\]; the text has \d+\]$/.exec(told.at(-1) ?? "");
        const shown = on === null ? told : told.slice(0, -1);
        expect(shown).toEqual(all.slice(120, on === null ? to : Number(on[1]) - 1).map((line, at) => `${121 + at}: ${line}`));
        expect(estimateText(told.join("\n"))).toBeLessThanOrEqual(256);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a line that is longer than the cap", () => {
  const long = Array.from({ length: 400 }, (_, index) => `"member ${index}":{"é\u0301":${index}}`).join(",");
  const part = /^(\d+): ([\s\S]*)\n\[characters (\d+)-(\d+) of (\d+) in line (\d+); ([^\]]*(?:\][^\]]*)?)\]$/;

  test("is read through by following the answers, character by character, each within the cap", async () => {
    const [speaker] = speakers;
    const talk = await capped(speaker as Speaker, `first\n${long}\nlast`);
    let input: object | undefined = { lines: [2, 3] };
    let read = "";
    for (let calls = 0; input !== undefined && calls < 200; calls++) {
      const told: string = await recall(talk, { reference: reference(talk), ...input });
      expect(estimateText(told)).toBeLessThanOrEqual(256);
      const [, , text, , , , , rest = ""] = part.exec(told) ?? [];
      if (text === undefined) {
        const [, tail = "", last] = /^2: (.*)\n(3: last)$/.exec(told) ?? [];
        read += tail;
        expect(last).toBe("3: last");
        input = undefined;
        continue;
      }
      read += text;
      const [, from, to, character] = /lines \[(\d+), (\d+)\](?: and character (\d+))?/.exec(rest) ?? [];
      input = { lines: [Number(from), Number(to)], ...(character === undefined ? {} : { character: Number(character) }) };
    }
    expect(read).toBe(long);
  });

  test("is shown from a little before the words that are looked for", async () => {
    const [speaker] = speakers;
    const talk = await capped(speaker as Speaker, long);
    const told = await recall(talk, { reference: reference(talk), match: "member 300" });
    expect(told).toContain('"member 300":');
    expect(told).not.toContain('"member 200":');
    expect(await recall(talk, { reference: reference(talk), lines: [1, 1], character: 1_000_000 })).toMatch(/^error: .*within 0 and/);
  });
});
