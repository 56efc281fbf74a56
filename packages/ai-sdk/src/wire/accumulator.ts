import { type Accumulator, isObject, type ObjectValue } from "@tidemark/core/adapter";

type Open = Record<string, unknown> & { text: string };

/** Puts the parts of `doStream` together to what `doGenerate` would have answered. Only a `finish` part finishes a reply; an `error` leaves it unfinished. */
export function accumulator(): Accumulator {
  const content: object[] = [];
  const open = new Map<string, Open>();
  let finish: ObjectValue | undefined;
  let failed = false;

  const begin = (type: string, part: ObjectValue): void => {
    const started: Open = { type, text: "" };
    noteMetadata(started, part);
    open.set(`${type} ${part.id}`, started);
    content.push(started);
  };
  const go = (type: string, part: ObjectValue): void => {
    const going = open.get(`${type} ${part.id}`);
    if (going === undefined) return;
    if (typeof part.delta === "string") going.text += part.delta;
    noteMetadata(going, part);
  };

  return {
    add(event) {
      if (!isObject(event)) return;
      const [, kind, step] = /^(text|reasoning)-(start|delta|end)$/.exec(String(event.type)) ?? [];
      if (kind !== undefined) (step === "start" ? begin : go)(kind, event);
      else if (event.type === "finish") finish = event;
      else if (event.type === "error") failed = true;
      else if (wholeParts.has(String(event.type))) content.push(event);
    },
    reply() {
      const said = content.filter((part) => !isEmptyText(part as Open));
      const { type: _type, ...ended } = finish ?? { type: "finish" };
      return { reply: { ...ended, content: said }, finished: finish !== undefined && !failed };
    },
  };
}

/** Parts that come whole, as in a generated reply. */
const wholeParts: ReadonlySet<string> = new Set([
  "tool-call",
  "tool-result",
  "file",
  "reasoning-file",
  "source",
  "custom",
  "tool-approval-request",
]);

/** The latest metadata of a part is the part's: a signature comes with its last delta or its end. */
function noteMetadata(open: Open, { providerMetadata }: ObjectValue): void {
  if (providerMetadata !== undefined && providerMetadata !== null) open.providerMetadata = providerMetadata;
}

function isEmptyText({ type, text, providerMetadata }: Open): boolean {
  return type === "text" && text === "" && providerMetadata === undefined;
}
