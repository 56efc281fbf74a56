import { checkContinuity, type Script, type Simulator } from "@tidemark/testing";

/** A model that thinks, reads two files at once, and answers in every third reply. */
export const said: Script = (_request, position) =>
  position % 3 === 2
    ? { thinking: "I have seen enough.", text: "They say hello." }
    : {
        thinking: `What is in them, ${position}?`,
        calls: [
          { name: "read", input: { path: "a.ts", from: position } },
          { name: "read", input: { path: "b.ts", from: position } },
        ],
      };

export function files(input: unknown): string {
  return `// ${(input as { readonly path: string }).path}\nexport const hello = "hello";\n`;
}

/** What a store gives back that sorts keys. */
export function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}

/** What the provider saw: whether each request continues the one before, and how many it refused. */
export function summaryOf({ requests }: Simulator): string {
  const verdicts = requests.slice(1).map(({ body }, index) => checkContinuity(requests[index]?.body ?? {}, body).verdict);
  const lines = verdicts.map((verdict, index) => `request ${index + 2}: ${verdict}`);
  const refused = requests.filter(({ refusal }) => refusal !== undefined).length;
  return [`${requests.length} requests, ${refused} refused`, ...lines].join("\n");
}
