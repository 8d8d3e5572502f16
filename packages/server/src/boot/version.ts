import { readFileSync } from "node:fs";

/** Of this package; its file lies above the source and above what is built from it. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  }
).version;
