#!/usr/bin/env node
// The command of the package; what it does is in src/florin.ts, which `npm run build` turns into dist.
import { existsSync } from "node:fs";

const program = new URL("../dist/florin.js", import.meta.url);
if (!existsSync(program)) {
  process.stderr.write("florin: not built yet; run: npm run build\n");
  process.exit(1);
}
await import(program.href);
