/** A heading of the document. */
export type AnchoredSection = {
  readonly title: string;
  /** What belongs there, for the model. */
  readonly about: string;
  /** `all`: new points stand behind the older ones. `latest`: they replace them. */
  readonly keeps: "all" | "latest";
};

/** Points by title, in the order of the sections; a section without points is none of its entries, unless it was emptied. */
export type Document = ReadonlyMap<string, readonly string[]>;

const heading = /^#{1,3} +(.+?) *:? *$/;
const nothingLeft = /^[-*\s]*\(?none\)?\.?$/i;

/** The sections that a text has, whatever stands before, between and around them. A line under a heading that is none of them belongs to the section above it. */
export function readDocument(text: string, sections: readonly AnchoredSection[]): Document {
  const titles = new Map(sections.map(({ title }) => [title.toLowerCase(), title]));
  const document = new Map<string, string[]>();
  let points: string[] | undefined;
  for (const line of text.split("\n")) {
    const title = titles.get(heading.exec(line)?.[1]?.toLowerCase() ?? "");
    if (title !== undefined) {
      points = document.get(title) ?? [];
      document.set(title, points);
    } else if (line.trim() !== "" && !line.startsWith("</")) points?.push(line.trimEnd());
  }
  return document;
}

/** A document with what is new: points that stand there already are not said twice, `none` empties a section that keeps the latest. */
export function mergedDocument(before: Document, news: Document, sections: readonly AnchoredSection[]): Document {
  const merged = new Map<string, readonly string[]>();
  for (const { title, keeps } of sections) {
    const [old, added] = [before.get(title) ?? [], news.get(title)?.filter((point) => !nothingLeft.test(point))];
    const known = new Set(old.map(bare));
    const points = keeps === "latest" ? (added ?? old) : [...old, ...(added ?? []).filter((point) => !known.has(bare(point)))];
    if (points.length > 0) merged.set(title, points);
  }
  return merged;
}

/** A document of at most so many tokens: the longest section that keeps all gives up its oldest point, until it fits. */
export function within(
  document: Document,
  sections: readonly AnchoredSection[],
  tokensMax: number,
  count: (text: string) => number,
): Document {
  const growing = sections.flatMap(({ title, keeps }) => (keeps === "all" && document.has(title) ? [title] : []));
  const held = new Map(growing.map((title) => [title, (document.get(title) ?? []).map((point) => ({ point, tokens: count(point) + 1 }))]));
  let tokens = count(documentText(document));
  while (tokens > tokensMax) {
    const longest = [...held.values()].toSorted((a, b) => tokensOf(b) - tokensOf(a))[0];
    const oldest = longest?.shift();
    if (oldest === undefined) break;
    tokens -= oldest.tokens;
  }
  const points = (title: string): readonly string[] => held.get(title)?.map(({ point }) => point) ?? document.get(title) ?? [];
  return new Map([...document.keys()].flatMap((title) => (points(title).length === 0 ? [] : [[title, points(title)] as const])));
}

export function documentText(document: Document): string {
  return [...document].map(([title, points]) => [`## ${title}`, ...points].join("\n")).join("\n");
}

function tokensOf(points: readonly { readonly tokens: number }[]): number {
  return points.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** A point without its bullet. */
function bare(point: string): string {
  return point.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim();
}
