import type { StandardSchema } from "../src/index.ts";

/** A schema as a library would make one: a check, and what is wrong where it fails. */
export function plainSchema<T>(fits: (value: unknown) => boolean = () => true, message = "this does not fit"): StandardSchema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => (fits(value) ? { value: value as T } : { issues: [{ message, path: ["step"] }] }),
    },
  };
}
