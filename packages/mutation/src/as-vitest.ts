/**
 * What the core's tests take from Vitest, for running them in one process, again and again: titles, tables and hooks here, matchers from Vitest's own package. A test that uses more than
 * this fails without any mutant, and is left out and named.
 */
import { readFileSync } from "node:fs";
import { format } from "node:util";
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  addCustomEqualityTesters,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import { beforeAllTests, beforeEachTest, declareSuite, declareTest } from "./collected.ts";

type Body = (...given: never[]) => unknown;
/** As `JestExtend` makes it. */
type Extensible = { readonly extend: (expect: unknown, matchers: object) => void };
type Declare = (title: string, ...rest: readonly unknown[]) => void;

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const matchers = Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT) as object;
export const expect = Object.assign((value: unknown, message?: string) => chai.expect(value, message), chai.expect, matchers, {
  extend: (more: object) => (chai.expect as unknown as Extensible).extend(expect, more),
  addEqualityTesters: (testers: never[]) => addCustomEqualityTesters(testers),
  assert: chai.assert,
});
Reflect.set(globalThis, GLOBAL_EXPECT, expect);
setState({ assertionCalls: 0, isExpectingAssertions: false } as never, expect as never);
expect.extend(customMatchers);
expect.extend({
  toMatchFileSnapshot: (text: unknown, path: string) => ({
    pass: text === readFileSync(path, "utf8"),
    message: () => `It is not what ${path} says.`,
  }),
});

/** Of `(title, body)`, `(title, options, body)` and `(title, body, timeout)`. */
function bodyOf(rest: readonly unknown[]): Body {
  return rest.find((part): part is Body => typeof part === "function") ?? (() => {});
}

const skipped: Declare = () => {};

type Declaring = Declare & {
  readonly each: (cases: readonly unknown[]) => Declare;
  readonly for: (cases: readonly unknown[]) => Declare;
  readonly runIf: (condition: unknown) => Declaring;
  readonly skipIf: (condition: unknown) => Declaring;
  readonly skip?: Declaring;
};

function declaring(declare: Declare): Declaring {
  const each =
    (cases: readonly unknown[]): Declare =>
    (title, ...rest) => {
      // Lists are spread when all cases are lists.
      const spread = cases.every(Array.isArray);
      cases.forEach((given, index) => {
        const list = Array.isArray(given) ? given : [given];
        declare(titleOf(title, given, list, index), () => bodyOf(rest)(...((spread ? list : [given]) as never[])));
      });
    };
  return Object.assign((title: string, ...rest: readonly unknown[]) => declare(title, bodyOf(rest)), {
    each,
    for: (cases: readonly unknown[]): Declare => each(cases.map((given) => [given])),
    runIf: (condition: unknown) => (condition ? declaring(declare) : declaring(skipped)),
    skipIf: (condition: unknown) => (condition ? declaring(skipped) : declaring(declare)),
    ...(declare === skipped ? {} : { skip: declaring(skipped) }),
  });
}

/** `$name` is a member of the case, `$#` its number; the rest is `util.format`'s. */
function titleOf(title: string, given: unknown, list: readonly unknown[], index: number): string {
  const named = title.replaceAll("$#", String(index)).replace(/\$([A-Za-z_][\w.]*)/g, (_whole, path: string) => {
    let value: unknown = given;
    for (const name of path.split(".")) value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    return String(value);
  });
  const places = named.match(/%[sdifjoO#%]/g)?.length ?? 0;
  return places === 0 ? named : format(named.replaceAll("%#", String(index)), ...list.slice(0, places));
}

export const test = declaring((title, body) => declareTest(title, body as () => unknown));
export const it = test;
export const describe = declaring((title, body) => declareSuite(title, body as () => void));
export const beforeEach = beforeEachTest;
export const beforeAll = beforeAllTests;
/** Types are checked elsewhere. */
export const expectTypeOf = (): unknown => new Proxy(() => {}, { get: () => expectTypeOf(), apply: () => expectTypeOf() });
