import { readFileSync } from "node:fs";

/** The version of this package; `package.json` lies above both the source and the build. */
export function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
