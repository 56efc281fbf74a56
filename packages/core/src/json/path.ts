/** A place inside a JSON value: member names and array positions, outermost first. */
export type Path = readonly (string | number)[];

const plainName = /^[A-Za-z_$][\w$]*$/;

/** Writes a path the way JSONPath does: `$.messages[0].content`. */
export function pathText(path: Path): string {
  let text = "$";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += plainName.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  }
  return text;
}
