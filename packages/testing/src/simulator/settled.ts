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

/** The body as the provider reads it, settled, whatever the caller does to it later: parts that were settled are shared, others copied through JSON. */
export function heldBody(body: object): unknown {
  if (isSettled(body)) return body;
  const held: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(body)) {
    if (member !== undefined) held[name] = Array.isArray(member) ? member.map(throughJson) : throughJson(member);
  }
  return settle(held);
}

function throughJson(value: unknown): unknown {
  return isSettled(value) ? value : JSON.parse(JSON.stringify(value) ?? "null");
}
