/** The benches of the one table, in its order, each with what it asks and its options: of the full run, and of a try, which leaves out what has none. */
export type Planned = {
  readonly name: string;
  readonly asks: string;
  readonly full: readonly string[];
  readonly quick?: readonly string[];
};

export const plan: readonly Planned[] = [
  {
    name: "prepare",
    asks: "processor time and memory, in units of one `JSON.stringify` of the request",
    full: ["--messages", "200,2000", "--bytes", "2000", "--alternations", "21"],
    quick: ["--texts", "prose", "--messages", "200", "--bytes", "2000", "--alternations", "5", "--seconds", "0"],
  },
  {
    name: "prepare",
    asks: "the same on a long history, beside context-chef",
    full: ["--texts", "code", "--messages", "10000", "--bytes", "2000", "--alternations", "9"],
  },
  {
    name: "growth",
    asks: "a session from 1 to 5,000 messages",
    full: [],
    quick: ["--messages", "600", "--every", "10"],
  },
  {
    name: "fetch",
    asks: "what `contextFetch` adds to a request, in units of one `JSON.stringify` of its body",
    full: ["--alternations", "21"],
    quick: ["--texts", "prose", "--messages", "200", "--alternations", "5"],
  },
  {
    name: "ai-sdk",
    asks: "what `withTidemark` adds to a call, in units of one `JSON.stringify` of its prompt",
    full: ["--alternations", "21"],
    quick: ["--texts", "prose", "--messages", "200", "--alternations", "5", "--seconds", "0"],
  },
  { name: "sources", asks: "a hundred turns in which what the model is told changes", full: [], quick: [] },
  { name: "economy", asks: "recorded sessions under a budget of half their size", full: [], quick: [] },
  { name: "size", asks: "what an agent loads, minified and compressed", full: [], quick: [] },
];
