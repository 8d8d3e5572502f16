#!/usr/bin/env node
// The command of the package; what it does is in src/main.ts, which `npm run build` turns into dist.
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);
if (!existsSync(main)) {
  process.stderr.write("florin: not built yet; run: npm run build\n");
  process.exit(1);
}
await import(main.href);
