import { loadGivenKey } from "../boot/open-database.ts";
import { type Config, describeSettings } from "../config.ts";
import { print } from "./print.ts";

/** `florin config`: lists all settings; validates them as a start does. */
export async function showSettingsFromShell(config: Config): Promise<void> {
  await loadGivenKey(config);
  for (const { name, meaning, fallback, value } of describeSettings()) {
    print(`${name}=${value}\n    ${meaning} Default: ${fallback}`);
  }
}
