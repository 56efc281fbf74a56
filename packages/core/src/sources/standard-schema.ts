/**
 * What schema libraries have in common (Standard Schema, version 1; zod, valibot and arktype implement it). Written out here: no schema library, and not its types, is a dependency.
 * Source: standardschema.dev, `@standard-schema/spec` 1.0.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly SchemaStep[] | undefined }[] };

type SchemaStep = PropertyKey | { readonly key: PropertyKey };

export type SchemaCheck<Output> = { readonly value: Output } | { readonly problem: string; readonly path: readonly (string | number)[] };

/** What a schema makes of a value, or the first thing that is wrong with it. Setting a value is no place to wait: a schema that answers later is a problem, too. */
export function checkSchema<Output>(schema: StandardSchema<unknown, Output>, value: unknown): SchemaCheck<Output> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return { problem: "its schema answers with a promise; use one that does not", path: [] };
  const [issue] = result.issues ?? [];
  if (result.issues === undefined) return { value: result.value };
  return { problem: issue?.message ?? "its schema refuses it", path: (issue?.path ?? []).map(nameOf) };
}

function nameOf(step: SchemaStep): string | number {
  const key = typeof step === "object" ? step.key : step;
  return typeof key === "number" ? key : String(key);
}
