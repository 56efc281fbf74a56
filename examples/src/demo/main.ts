/** `pnpm demo`: one agent session, as hosts run it today and through Tidemark. `pnpm demo FILE...`: the same for recorded sessions. */
import { showRecordings } from "../recorded/show-recording.ts";
import { showStory } from "./show-story.ts";
import { paintFor } from "./terminal.ts";

const files = process.argv.slice(2);
const output = { print: (line: string): void => console.log(line), paint: paintFor(process.stdout, process.env) };
process.exitCode = files.length === 0 ? await showStory("lantern", output) : await showRecordings(files, output);
