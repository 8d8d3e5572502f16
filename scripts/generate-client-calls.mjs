// `npm run generate`: writes for the documentation which function of the TypeScript client makes the call of each operation, from the
// sources of the client. It relies on their format: a function starts with its name, four spaces from the margin.
import { readdir, readFile, writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const source = new URL("packages/client/src/", root);
const read = (name) => readFile(new URL(name, source), "utf8");

/** By the function that makes a group of calls: the name of the group in the client. */
const groups = Object.fromEntries(
  [...(await read("client.ts")).matchAll(/^ {4}(\w+): (\w+)\(send\),$/gm)].map(
    ([, group, maker]) => [maker, group],
  ),
);
groups.ownCalls = "agent";

const files = (await readdir(source)).filter((name) => /^(.+-)?calls\.ts$/.test(name)).sort();
const calls = (await Promise.all(files.map(read))).flatMap((text) =>
  text
    .split(/^export function /m)
    .slice(1)
    .flatMap(callsIn),
);

/** The operation of each call in a function, and the call's name: one without a name is the function itself. */
function callsIn(text) {
  const group = groups[text.slice(0, text.indexOf("("))];
  if (group === undefined) return [];
  let name = group;
  return [...text.matchAll(/^ {4}(\w+): |\b(?:send|list)<"(\w+)">/gm)].flatMap(([, key, id]) => {
    if (key !== undefined) name = `${group}.${key}`;
    return id === undefined ? [] : [[id, name]];
  });
}

const lines = [
  "// Written by `npm run generate` from the sources of the client; not to be changed by hand.",
  "/** The function of the TypeScript client for each operation: `agent.` functions are those of an agent's client. */",
  "export const clientCalls: Readonly<Record<string, string>> = {",
  ...calls.map(([id, name]) => `  ${id}: ${JSON.stringify(name)},`),
  "};",
];
await writeFile(
  new URL("packages/docs-site/src/samples/client-calls.ts", root),
  `${lines.join("\n")}\n`,
);
