import { readFileSync } from "node:fs";

/** The version of this package; `package.json` lies above both the source and the build. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  }
).version;
