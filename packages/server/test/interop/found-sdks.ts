/** The SDKs that can be used on this machine. What cannot is told, and its tests are skipped. */
import { javaScript } from "./javascript.ts";
import { type Found, findGo, findPython } from "./programs.ts";
import type { Sdk } from "./sdk-calls.ts";

const all: readonly Found[] = [javaScript, ...(await Promise.all([findGo(), findPython()]))];

for (const each of all) {
  if ("missing" in each)
    process.stderr.write(`The SDK for ${each.name} is not tested: ${each.missing}\n`);
}

/** For each SDK: its name, and how it is started; undefined: it is not here. */
export const foundSdks: readonly (readonly [name: Sdk["name"], sdk: Sdk | undefined])[] = all.map(
  (each) => [each.name, "missing" in each ? undefined : each],
);
