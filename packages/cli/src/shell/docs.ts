/** `florin docs` searches the reference that is packed with the program, and `florin open` opens the page of it. */
import { spawn } from "node:child_process";
import type { Command } from "commander";
import { urlOf } from "../connection/connection.ts";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { operationTable } from "../operations/operation-table.ts";
import { clean } from "../output/clean.ts";

type Entry = readonly [kind: string, name: string, says: string];

const MOST_SHOWN = 25;

export function addDocs(program: Command, host: Host): void {
  program
    .command("docs")
    .description("Search the reference: operations, errors, events, settings and fields.")
    .argument("<term...>", "words that must all be there")
    .action((words: readonly string[]) => searchDocs(host, words));
  program
    .command("open")
    .description("Open the reference in a browser, at what reads an object when its id is given.")
    .argument("[id]", "such as Transaction:…")
    .option("--profile <name>", "a saved connection")
    .action((id: string | undefined, { profile }) => openPage(host, { id, profile }));
}

async function searchDocs(host: Host, words: readonly string[]): Promise<void> {
  const { referenceIndex } = await import("./reference-index.ts");
  const operations = operationTable.map((row): Entry => {
    const fields = [...(row.query ?? []), ...(row.body?.fields ?? [])].map(({ name }) => name);
    const command = `florin ${row.noun} ${row.verb}`;
    return [
      "operation",
      command,
      `${row.summary}  ${row.method} ${row.path}  ${row.id}  ${fields.join(", ")}`,
    ];
  });
  const terms = words.map((word) => word.toLowerCase());
  const found = [...operations, ...referenceIndex]
    .map((entry) => ({ entry, rank: rankOf(entry, terms) }))
    .filter(({ rank }) => rank > 0)
    .sort((left, right) => right.rank - left.rank);
  if (found.length === 0) throw new UsageError(`the reference has nothing on ${words.join(" ")}`);
  for (const { entry } of found.slice(0, MOST_SHOWN)) host.writeOut(`${lineOf(entry)}\n`);
  if (found.length > MOST_SHOWN) {
    host.writeError(`and ${found.length - MOST_SHOWN} more; add a word\n`);
  }
}

function lineOf([kind, name, says]: Entry): string {
  return `${kind.padEnd(9)}  ${clean(name).padEnd(34)}  ${clean(says).slice(0, 160)}`.trimEnd();
}

/** 0 when a word is missing. A match in the name ranks above one in the text, and the whole name ranks highest. */
function rankOf([, name, says]: Entry, terms: readonly string[]): number {
  const [title, text] = [name.toLowerCase(), says.toLowerCase()];
  let rank = 0;
  for (const term of terms) {
    if (title === term) rank += 100;
    else if (title.includes(term)) rank += 10;
    else if (text.includes(term)) rank += 1;
    else return 0;
  }
  return rank;
}

function openPage(
  host: Host,
  { id, profile }: { readonly id: string | undefined; readonly profile: string | undefined },
): void {
  const page = `${new URL(urlOf(host, profile)).origin}/docs${id === undefined ? "" : `#${anchorOf(id)}`}`;
  host.writeOut(`${page}\n`);
  if (host.isTerminal) openBrowser(page);
}

/** The operation that reads objects of this kind. */
function anchorOf(id: string): string {
  const [kind = ""] = id.split(":");
  const reads = operationTable.filter((row) => row.method === "GET" && row.path.endsWith("}"));
  const row =
    reads.find((each) => each.id === `get${kind}`) ??
    reads.find((each) => kind !== "" && each.id.endsWith(kind));
  if (row === undefined) throw new UsageError(`no operation reads a ${clean(kind)}`);
  return row.id;
}

/** No shell is involved, so none interprets the URL. On a machine without a browser the printed line remains. */
function openBrowser(page: string): void {
  const [command, ...words] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"];
  const child = spawn(command ?? "", [...words, page], { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}
