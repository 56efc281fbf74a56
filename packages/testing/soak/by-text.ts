/** How many results are kept. A session has a few hundred different messages. */
const keptMax = 4_000;

/** A pure function of a JSON value, computed once for each text of it: most messages of a request were in the one before. */
export function byText<A extends object, B>(make: (value: A) => B): (value: A) => B {
  const made = new Map<string, B>();
  return (value) => {
    const text = JSON.stringify(value);
    const known = made.get(text);
    if (known !== undefined) return known;
    if (made.size >= keptMax) made.clear();
    const result = make(value);
    made.set(text, result);
    return result;
  };
}
