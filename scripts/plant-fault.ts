/**
 * Preloaded (`node --import`) by `planted-faults.ts`: hands one source file to Node with a fault in it. The file on disk stays as it is. What to plant comes in the environment as
 * JSON: `{ file, text, instead }`.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const { file, text, instead } = JSON.parse(process.env["PLANTED_FAULT"] ?? "{}") as { file: string; text: string; instead: string };
const target = pathToFileURL(file).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array | undefined);
    if (!source.includes(text)) throw new Error(`${file} no longer says what the fault replaces: ${text}`);
    return { ...loaded, source: source.replace(text, () => instead) };
  },
});
