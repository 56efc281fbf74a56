/** A test as its file declares it, with what must run before it. */
export type Test = { readonly id: string; readonly file: string; readonly name: string; readonly run: () => Promise<void> };

type Body = () => unknown;
type Hook = Body;
/** `prepared`: hooks that run once, until they have. */
type Suite = { readonly path: readonly string[]; readonly before: Hook[]; readonly once: { readonly run: Hook; done: boolean }[] };

const tests: Test[] = [];
let file = "";
let open: readonly Suite[] = [];

/** Imports a test file, which declares its tests, and gives them. */
export async function collect(path: string, load: () => Promise<unknown>): Promise<readonly Test[]> {
  file = path;
  open = [{ path: [], before: [], once: [] }];
  const from = tests.length;
  await load();
  return tests.slice(from);
}

export function declareTest(title: string, body: Body): void {
  const suites = open;
  const name = [...(suites.at(-1)?.path ?? []), title].join(" > ");
  const run = async (): Promise<void> => {
    for (const { once, before } of suites) {
      for (const hook of once.filter(({ done }) => !done)) {
        await hook.run();
        hook.done = true;
      }
      for (const hook of before) await hook();
    }
    await body();
  };
  tests.push({ id: `${file} ${tests.length} ${name}`, file, name, run });
}

export function declareSuite(title: string, declare: () => void): void {
  const outer = open;
  open = [...outer, { path: [...(outer.at(-1)?.path ?? []), title], before: [], once: [] }];
  declare();
  open = outer;
}

export function beforeEachTest(run: Hook): void {
  open.at(-1)?.before.push(run);
}

export function beforeAllTests(run: Hook): void {
  open.at(-1)?.once.push({ run, done: false });
}
