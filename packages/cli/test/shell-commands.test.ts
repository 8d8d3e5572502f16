/** Completions, the search over the reference, and where its page is. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { operationTable } from "../src/operations/operation-table.ts";
import { openShell } from "./kit/shell.ts";

const shell = openShell({ FLORIN_URL: "https://pay.example" });
afterAll(() => shell.remove());

async function scriptFor(name: string): Promise<string> {
  const { code, out } = await shell.run(["completion", name]);
  expect(code).toBe(0);
  const path = join(shell.home, `florin.${name}`);
  writeFileSync(path, out);
  return path;
}

const isInstalled = (name: string) => spawnSync(name, ["--version"]).error === undefined;
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("knows every noun and verb in %s", async (name) => {
    const { out } = await shell.run(["completion", name]);
    for (const { noun, verb } of operationTable) {
      expect(out).toMatch(new RegExp(`[ "']${noun}[ "']`));
      expect(out).toMatch(new RegExp(`[ "']${verb}[ "']`));
    }
    expect((await shell.run(["completion", "csh"])).code).toBe(2);
  });

  const lines = [
    ["florin customers l", "list"],
    ["florin transfer-out create --am", "--amount"],
    ["florin listen --forw", "--forward-to"],
    ["florin completion z", "zsh"],
  ] as const;

  it.each(lines)("completes %s in bash", async (line, word) => {
    const script = `source ${await scriptFor("bash")}
      COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _florin; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe(`${word}\n`);
  });

  it.runIf(isInstalled("fish")).each(lines)("completes %s in fish", async (line, word) => {
    const script = `source ${await scriptFor("fish")}; complete -C "${line}"`;
    expect(linesOf(execFileSync("fish", ["-c", script], { encoding: "utf8" }))).toContain(word);
  });

  it.runIf(isInstalled("zsh"))("loads in zsh", async () => {
    const script = `source ${await scriptFor("zsh")}; print $_comps[florin]`;
    expect(execFileSync("zsh", ["-f", "-c", script], { encoding: "utf8" })).toBe("_florin\n");
  });
});

describe("docs", () => {
  it.each([
    [["QUOTE_EXPIRED"], "error      QUOTE_EXPIRED"],
    [["balance_updated"], "event      INTERNAL_ACCOUNT.BALANCE_UPDATED"],
    [["create", "quote"], "operation  florin quotes create"],
    [["METRICS_PORT"], "setting    METRICS_PORT"],
    [["remittanceInformation"], "operation  florin transfer-out create"],
  ])("finds %j", async (words, line) => {
    const { code, out } = await shell.run(["docs", ...words]);
    expect(code).toBe(0);
    expect(out).toContain(line);
  });

  it("puts a whole name first and says when there is nothing", async () => {
    expect((await shell.run(["docs", "customer"])).out).toMatch(/^schema +Customer +/);
    expect((await shell.run(["docs", "zebra"])).code).toBe(2);
  });
});

describe("open", () => {
  it("shows the reference, and what reads an object", async () => {
    expect((await shell.run(["open"])).out).toBe("https://pay.example/docs\n");
    const page = "https://pay.example/docs#getTransaction\n";
    expect((await shell.run(["open", "Transaction:1"])).out).toBe(page);
    expect((await shell.run(["open", "ExternalAccount:1"])).out).toContain("#getCustomerExternal");
    expect((await shell.run(["open", "Nothing:1"])).code).toBe(2);
  });
});
