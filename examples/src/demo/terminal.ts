/** Colours, where there is a terminal to show them and nobody has asked for none (`NO_COLOR`). */
export type Paint = Readonly<Record<"red" | "green" | "yellow" | "dim" | "bold", (text: string) => string>>;

export function paintFor(stream: { readonly isTTY?: boolean }, environment: Readonly<Record<string, string | undefined>>): Paint {
  const coloured = stream.isTTY === true && (environment["NO_COLOR"] ?? "") === "";
  const style = (open: number, close: number) => (text: string) => (coloured && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text);
  return { red: style(31, 39), green: style(32, 39), yellow: style(33, 39), dim: style(2, 22), bold: style(1, 22) };
}
