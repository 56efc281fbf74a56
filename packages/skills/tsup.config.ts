import { defineConfig } from "tsup";

// JavaScript only: the declarations are made by tsc (tsconfig.build.json), which writes the same folders.
export default defineConfig({
  entry: { index: "src/index.ts" },
  format: "esm",
  platform: "node",
  target: "es2023",
  splitting: true,
  clean: true,
});
