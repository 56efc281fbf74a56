import { isArray, isObject, type ObjectValue, setMember, type Value } from "./value.ts";

/** Key order of each object of a value that has more than one key, in sorted walk; null: sorted already. */
export type KeyOrders = readonly (readonly string[] | null)[];

/** What a store that sorts keys would lose. Undefined: nothing, all keys are sorted. */
export function keyOrders(value: Value): KeyOrders | undefined {
  const orders: (readonly string[] | null)[] = [];
  collect(value, orders);
  return orders.some((order) => order !== null) ? orders : undefined;
}

function collect(value: Value, orders: (readonly string[] | null)[]): void {
  if (isArray(value)) for (const item of value) collect(item, orders);
  else if (isObject(value)) {
    const names = Object.keys(value);
    const sorted = names.toSorted();
    if (names.length > 1) orders.push(names.some((name, index) => name !== sorted[index]) ? names : null);
    for (const name of sorted) collect(value[name] as Value, orders);
  }
}

/** The same value with the keys in the recorded orders; where a record does not fit the keys, they stay sorted. Frozen. */
export function withKeyOrders(value: Value, orders: KeyOrders | undefined): Value {
  return rebuild(value, orders ?? [], { next: 0 });
}

function rebuild(value: Value, orders: KeyOrders, at: { next: number }): Value {
  if (isArray(value)) return Object.freeze(value.map((item) => rebuild(item, orders, at)));
  if (!isObject(value)) return value;
  const sorted = Object.keys(value).toSorted();
  const order = sorted.length > 1 ? orders[at.next++] : null;
  const members: Record<string, Value> = {};
  for (const name of sorted) setMember(members, name, rebuild(value[name] as Value, orders, at));
  const names = order != null && fits(order, sorted) ? order : sorted;
  const ordered: Record<string, Value> = {};
  for (const name of names) setMember(ordered, name, members[name] as Value);
  return Object.freeze(ordered) as ObjectValue;
}

function fits(order: readonly string[], sorted: readonly string[]): boolean {
  return order.length === sorted.length && order.toSorted().every((name, index) => name === sorted[index]);
}
