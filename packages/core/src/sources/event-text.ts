import { wellFormed } from "../json/unicode.ts";

/** A `<` that could begin a tag. One before a blank, a digit, `=` or `-` stays as it is, so that code and prose stay readable. */
const opening = /<(?! [^/\s]|[=\d-])/g;
/** An `&` that begins what {@link escapeText} itself writes. */
const reference = /&(?=(?:amp|lt|gt|quot|#x[0-9a-f]+);)/gi;
/** Control characters but tab and line ends, line and paragraph separators, and marks that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** A text as it stands inside an event: it cannot close the event's tag or open another one, and is got back by undoing the references (rule 21). */
export function escapeText(text: string): string {
  return wellFormed(text).replace(reference, "&amp;").replace(opening, "&lt;").replace(control, numbered);
}

/** The same in an attribute's quotes. */
function escapeAttribute(text: string): string {
  return escapeText(text)
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/[\t\r\n]/g, numbered);
}

function numbered(character: string): string {
  return `&#x${character.charCodeAt(0).toString(16)};`;
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `<state id="task" rev="2">`, its body on lines of its own, and the end. The body is taken as it is: texts from outside are escaped by who puts them in. */
export function element(tag: string, attributes: Attributes, body?: string): string {
  const named = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : ` ${name}="${escapeAttribute(String(value))}"`,
  );
  const start = `<${tag}${named.join("")}`;
  return body === undefined ? `${start}/>` : `${start}>\n${body}\n</${tag}>`;
}
