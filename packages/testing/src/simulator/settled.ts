const settled = new WeakSet<object>();

/** Whether a value is frozen all the way down, so that what was once computed of it holds for good. Asked once an object. */
export function isSettled(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (settled.has(value)) return true;
  if (!Object.isFrozen(value)) return false;
  for (const member of Object.values(value)) if (!isSettled(member)) return false;
  settled.add(value);
  return true;
}

/**
 * Remembers what a pure function made of a settled object. Tidemark sends the same frozen messages again and again; a body
 * that came as text is new each time and simply computed.
 */
export function rememberSettled<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (isSettled(key)) made.set(key, value);
    return value;
  };
}

/** Freezes JSON that nobody else holds all the way down. */
export function settle<T>(value: T): T {
  if (typeof value !== "object" || value === null || settled.has(value)) return value;
  for (const member of Object.values(value)) settle(member);
  settled.add(Object.freeze(value));
  return value;
}

/** The value itself where it is settled, else a settled copy through JSON. */
export function settledCopy<T>(value: T): T {
  return isSettled(value) ? value : settle(JSON.parse(JSON.stringify(value) ?? "null"));
}

/** Text that is remembered for {@link bodyReader}, in UTF-16 units. */
const rememberedUnitsMax = 32_000_000;

/** Bytes go over the line as base64, as the SDKs write them. */
function bytesAsText(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/**
 * Makes bodies into what the provider reads: settled, whatever the caller does to its object later. Settled parts are shared; the others are copied
 * through JSON, and a message that was seen before becomes the same object again, so that all that is remembered of it holds.
 */
export function bodyReader(): (body: object) => unknown {
  const seen = new Map<string, object>();
  let units = 0;
  const read = (value: unknown): unknown => {
    if (isSettled(value)) return value;
    const text = JSON.stringify(value, bytesAsText) ?? "null";
    const twin = seen.get(text);
    if (twin !== undefined) return twin;
    const copy: unknown = settle(JSON.parse(text));
    if (typeof copy !== "object" || copy === null) return copy;
    units += text.length;
    if (units > rememberedUnitsMax) {
      seen.clear();
      units = text.length;
    }
    seen.set(text, copy);
    return copy;
  };
  return (body) => {
    if (isSettled(body)) return body;
    const members = Object.entries(body).filter(([, member]) => member !== undefined);
    return settle(
      Object.fromEntries(
        members.map(([name, member]) => [name, Array.isArray(member) && !isSettled(member) ? member.map(read) : read(member)]),
      ),
    );
  };
}
