import type { MutantResult } from "@stryker-mutator/api/core";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { Reporter } from "@stryker-mutator/api/report";

export function isNoticed({ status }: MutantResult): boolean {
  return status === "Killed" || status === "Timeout";
}

export function isMissed({ status }: MutantResult): boolean {
  return status === "Survived" || status === "NoCoverage";
}

/** Names what no test notices while a run of hours goes on. */
class MissedReporter implements Reporter {
  onMutantTested(result: MutantResult): void {
    const { fileName, location, mutatorName, replacement, status } = result;
    const { start } = location;
    if (isMissed(result)) console.log(`${fileName}:${start.line}:${start.column} ${status} ${mutatorName}: ${replacement ?? ""}`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "missed", MissedReporter)];
