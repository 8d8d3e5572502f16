#!/usr/bin/env node
// npm links one `florin` where this package and the server's are both installed. Beside the server, its program is started, which
// has the commands of both.
import { existsSync } from "node:fs";

const beside = new URL("../../server/bin/florin.mjs", import.meta.url);
const own = new URL("../dist/main.js", import.meta.url);
if (existsSync(beside)) {
  await import(beside.href);
} else if (existsSync(own)) {
  const { runFromShell } = await import(own.href);
  await runFromShell(process.argv.slice(2));
} else {
  process.stderr.write("florin: not built yet; run: npm run build\n");
  process.exit(1);
}
