/** The house rules that a program can check: who may import whom, sizes, and calls that have one home. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type FoundText, functionsIn, textsIn } from "./kit/syntax.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const source = join(root, "packages/server/src");

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/node_modules|\/dist/.test(path));
}

const packages = ["server", "client", "cli", "docs-site", "console"];
const typescript = packages
  .flatMap((folder) => filesBelow(join(root, "packages", folder)))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"));
const product = typescript.filter((path) => path.startsWith(source) && !path.endsWith(".test.ts"));
const commandLine = typescript.filter((path) => path.includes("/packages/cli/src/"));
const docsSite = typescript.filter((path) => path.includes("/packages/docs-site/src/"));
const consoleSource = join(root, "packages/console/src");
const consolePages = typescript.filter(
  (path) => path.startsWith(consoleSource) && !path.endsWith(".test.ts"),
);
const domain = product.filter((path) => path.startsWith(join(source, "domain/")));
const domainRules = domain.filter((path) => !path.endsWith(".sql.ts"));

const textOf = new Map(typescript.map((path) => [path, readFileSync(path, "utf8")]));
const linesOf = (path: string) => (textOf.get(path) ?? "").split("\n");
const nameOf = (path: string) => relative(root, path);

/**
 * The folders of `src`, from the ground up. A folder imports itself and folders of earlier lines, types included; folders of
 * one line do not know each other. The files at the top of `src` put the program together: `config.ts` is for them, for
 * `boot` and for `commands`, which may use `app.ts` as well.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["std"],
  ["money", "postgres", "embedded-postgres"],
  ["tables", "secrets"],
  ["ledger"],
  ["engine"],
  ["domain"],
  ["audit", "validation", "followers"],
  ["formats"],
  ["wire"],
  ["http", "outside"],
  ["webhooks"],
  ["jobs"],
  ["imports"],
  ["boot"],
  ["commands"],
];
const FILES_A_FOLDER = 20;
const MAY_IMPORT_TOP: Readonly<Record<string, readonly string[]>> = {
  boot: ["config.ts"],
  commands: ["config.ts", "app.ts"],
};
/** Delivery and jobs work beside HTTP, not on top of it. */
const BESIDE_HTTP = new Set(["webhooks", "jobs", "imports"]);

function layerOf(path: string): string | undefined {
  const [folder, ...rest] = relative(source, path).split("/");
  return rest.length === 0 ? undefined : folder;
}

const levelOf = (folder: string) => LAYERS.findIndex((line) => line.includes(folder));

function mayImport(folder: string, from: string): boolean {
  const target = layerOf(from);
  if (target === undefined)
    return MAY_IMPORT_TOP[folder]?.includes(relative(source, from)) === true;
  if (target === folder) return true;
  if (target === "http" && BESIDE_HTTP.has(folder)) return false;
  return levelOf(target) < levelOf(folder);
}

/**
 * The folders of the console, from the ground up. The files at the top put it together. The shell and the pages do not know each
 * other: a page is found by its path.
 */
const CONSOLE_LAYERS: readonly (readonly string[])[] = [
  ["std"],
  ["text", "api"],
  ["ui"],
  ["list", "act"],
  ["detail"],
  ["pages", "shell"],
];

function consoleLayerOf(path: string): number {
  const [folder = "", ...rest] = relative(consoleSource, path).split("/");
  if (rest.length === 0) return CONSOLE_LAYERS.length;
  return CONSOLE_LAYERS.findIndex((line) => line.includes(folder));
}

function isAllowedInConsole(path: string, from: string): boolean {
  if (from.includes("/console/messages/")) return path.endsWith("/text/messages.ts");
  if (from.endsWith("/console/look/app.css")) return relative(consoleSource, path) === "main.tsx";
  if (!from.startsWith(consoleSource)) return false;
  const [own, target] = [path, from].map((one) => relative(consoleSource, one).split("/")[0]);
  const isTop = consoleLayerOf(path) === CONSOLE_LAYERS.length;
  return isTop || own === target || consoleLayerOf(from) < consoleLayerOf(path);
}

const CONSOLE_PACKAGES = [
  "@florin/cli/proof",
  "@florin/cli/signature",
  "@florin/client",
  "@florin/client/transport",
  "@internationalized/string",
  "@simplewebauthn/browser",
  "@tanstack/react-query",
  "@tanstack/react-router",
  "lucide-react",
  "pdfjs-dist/legacy/build/pdf.mjs",
  "qr",
  "react",
  "react-aria",
  "react-aria-components",
  "react-dom/client",
];

/** Of this product; types count, too. */
function importsOf(path: string): readonly string[] {
  const text = textOf.get(path) ?? "";
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gms);
  return [...found].map((match) => normalize(join(dirname(path), match[1] ?? "")));
}

describe("imports", () => {
  it("go down the layers only", () => {
    const wrong = product.flatMap((path) => {
      const folder = layerOf(path);
      if (folder === undefined) return [];
      return importsOf(path)
        .filter((from) => !mayImport(folder, from))
        .map((from) => `${relative(source, path)} -> ${relative(source, from)}`);
    });
    expect(wrong).toEqual([]);
  });

  it("know every folder, and every layer is there", () => {
    const folders = new Set(product.map(layerOf).filter((folder) => folder !== undefined));
    expect([...folders].toSorted()).toEqual(LAYERS.flat().toSorted());
  });

  it("keep the domain away from the connection and what is outside away from the database", () => {
    const wrong = product.filter((path) => {
      const targets = importsOf(path).map((from) => relative(source, from));
      if (layerOf(path) === "domain" && !path.endsWith(".sql.ts"))
        return targets.some((target) => /^postgres\/(database|pipeline|migrate)/.test(target));
      return (
        layerOf(path) === "outside" &&
        targets.some((target) => /^(postgres\/(database|pipeline)|tables)/.test(target))
      );
    });
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it("keep the wallet's files to themselves: a page is given their folder and no other", () => {
    const wallet = typescript.filter((path) => path.includes("/client/src/wallet/"));
    const wrong = wallet
      .filter((path) => !path.endsWith(".test.ts"))
      .filter((path) => /from "(?!\.\/)/.test(textOf.get(path) ?? ""));
    expect(wallet.length).toBeGreaterThan(5);
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it("keep the developers' command line and the server apart", () => {
    const bare = (path: string) =>
      [...(textOf.get(path) ?? "").matchAll(/\bfrom "([^."][^"]*)"/g)].map(
        (match) => match[1] ?? "",
      );
    const own = commandLine.flatMap((path) => [
      ...importsOf(path).filter((from) => !from.includes("/packages/cli/src/")),
      ...bare(path).filter((name) => !name.startsWith("node:") && name !== "commander"),
    ]);
    expect(own).toEqual([]);
    expect(product.flatMap(bare).filter((name) => name.startsWith("@florin/"))).toEqual([]);
  });

  it("keep the builder of the documentation apart from the programs", () => {
    const foreign = docsSite.flatMap((path) =>
      importsOf(path).filter((from) => !from.includes("/packages/docs-site/src/")),
    );
    expect(docsSite.length).toBeGreaterThan(20);
    expect(foreign).toEqual([]);
    expect(product.flatMap(importsOf).filter((from) => from.includes("docs-site/src/"))).toEqual(
      [],
    );
  });

  it("go down the layers of the console, which takes its types and its calls from the client", () => {
    const wrong = consolePages.flatMap((path) =>
      importsOf(path)
        .filter((from) => !isAllowedInConsole(path, from))
        .map((from) => `${nameOf(path)} -> ${nameOf(from)}`),
    );
    expect(consolePages.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
    const bare = consolePages.flatMap((path) =>
      [...(textOf.get(path) ?? "").matchAll(/\bfrom "([^."][^"]*)"/g)].map((match) => match[1]),
    );
    expect([...new Set(bare)].toSorted()).toEqual(CONSOLE_PACKAGES);
    expect(product.flatMap(importsOf).filter((from) => from.startsWith(consoleSource))).toEqual([]);
  });

  it("have a home in package.json", () => {
    const manifest = JSON.parse(readFileSync(join(root, "packages/server/package.json"), "utf8"));
    const known = new Set(Object.keys(manifest.dependencies));
    const foreign = product.flatMap((path) =>
      [...(textOf.get(path) ?? "").matchAll(/^import[^;]*?from\s+"([^."][^"]*)"/gms)]
        .map((match) => match[1] ?? "")
        .filter((name) => !name.startsWith("node:"))
        .map((name) =>
          name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/"),
        )
        .filter((name) => !known.has(name) && name !== "ajv")
        .map((name) => `${nameOf(path)}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });
});

describe("sizes", () => {
  it("keep every folder to twenty files, tests apart", () => {
    const counts = new Map<string, number>();
    for (const path of [...product, ...docsSite, ...consolePages])
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const large = [...counts].filter(([, count]) => count > FILES_A_FOLDER);
    expect(large.map(([folder, count]) => `${nameOf(folder)}: ${count}`)).toEqual([]);
  });

  it("keep every file below 500 lines", () => {
    const generated = join(root, "packages/client/src/api-types.ts");
    const long = typescript
      .filter((path) => path !== generated && linesOf(path).length > 500)
      .map(nameOf);
    expect(long).toEqual([]);
  });

  it("keep every function of the product within 70 lines, its parameters included", () => {
    const long = [...product, ...commandLine, ...docsSite, ...consolePages].flatMap((path) =>
      functionsIn(textOf.get(path) ?? "", path)
        .filter(({ length }) => length > 70)
        .map(({ line, length }) => `${nameOf(path)}:${line} ${length} lines`),
    );
    expect(long).toEqual([]);
  });

  it.each([
    ["function", "function a(\n  b: number,\n): void {\n}"],
    ["method", "class A {\n  async a(\n    b: number,\n  ) {\n  }\n}"],
    ["private method", "class A {\n  #a(\n    b: number,\n  ) {\n  }\n}"],
    ["getter of an object", "const a = {\n  get b() {\n    return 1\n\n  }\n};"],
    ["arrow", "const a = (\n  b: number,\n) =>\n  b;"],
    ["generator that is handed on", "a(function* () {\n\n\n});"],
  ])("counts four lines for a %s of four lines", (_what, text) => {
    expect(functionsIn(text).map(({ length }) => length)).toEqual([4]);
  });
});

/** Calls with one home each; everywhere else the thing is handed in. */
const HOMES: readonly { readonly call: RegExp; readonly homes: readonly string[] }[] = [
  { call: /\bprocess\.env\b/, homes: ["config.ts"] },
  { call: /\bDate\.now\(/, homes: ["std/clock.ts"] },
  { call: /\bnew Date\(\)/, homes: [] },
  { call: /\bsetTimeout\(|\bsetInterval\(/, homes: ["std/clock.ts"] },
  { call: /\bMath\.random\(/, homes: [] },
  { call: /\brandomUUID\(/, homes: [] },
  { call: /\bconsole\./, homes: [] },
  // A kind of job without a runner must not compile.
  { call: /\bworld\.schedule\(/, homes: ["domain/job-kinds.ts"] },
  // Alerts on balances are told there, too.
  {
    call: /emit\("INTERNAL_ACCOUNT\.BALANCE_UPDATED"/,
    homes: ["domain/accounts/internal/internal-account.ts"],
  },
  // Its one shape names every bad field.
  { call: /\bnew Refusal\(\s*"INVALID_INPUT"/, homes: ["engine/refusal.ts"] },
];

/** The browser's own, each with one home in the console. */
const CONSOLE_HOMES: readonly { readonly call: RegExp; readonly homes: readonly string[] }[] = [
  { call: /\bDate\.now\(/, homes: ["std/host.ts"] },
  { call: /\bMath\.random\(/, homes: [] },
  { call: /\brandomUUID\(/, homes: ["std/host.ts"] },
  { call: /\bfetch\((?!input)/, homes: ["ui/api-call.ts"] },
  { call: /\blocalStorage\b/, homes: ["std/storage.ts", "theme.ts"] },
  { call: /\bnavigator\.language/, homes: ["std/host.ts"] },
  { call: /\b(innerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|eval)\b/, homes: [] },
  { call: /\bconsole\./, homes: ["ui/api-call.ts"] },
  // Isolates a text without showing what it hides.
  { call: /<bdi\b/, homes: ["ui/values.tsx"] },
];

describe("calls", () => {
  it.each(CONSOLE_HOMES)("of $call in the console have one home", ({ call, homes }) => {
    const strays = consolePages.filter((path) => {
      if (homes.includes(relative(consoleSource, path))) return false;
      const code = linesOf(path).filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line));
      return call.test(code.join("\n"));
    });
    expect(strays.map(nameOf)).toEqual([]);
  });

  it.each(HOMES)("of $call have one home", ({ call, homes }) => {
    const strays = product.filter((path) => {
      if (homes.includes(relative(source, path))) return false;
      const code = linesOf(path).filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line));
      return call.test(code.join("\n"));
    });
    expect(strays.map(nameOf)).toEqual([]);
  });

  it("that round a number are in no module that reads the money of other institutions", () => {
    const strays = product
      .filter((path) => path.startsWith(join(source, "formats/uma/")))
      .flatMap((path) => {
        const code = linesOf(path).filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line));
        const isReader = path.endsWith("/json-message.ts");
        const rounds = /\bNumber\(|\bparseFloat\(|\.toFixed\(|\bMath\./.test(code.join("\n"));
        const parses = !isReader && /\bJSON\.parse\(/.test(code.join("\n"));
        return rounds || parses ? [nameOf(path)] : [];
      });
    expect(strays).toEqual([]);
  });

  it("that await, read a clock or roll dice are in none of the domain's rules", () => {
    const strays = domainRules.filter((path) =>
      linesOf(path).some(
        (line) =>
          /\bawait\b|\basync\b|\brandomBytes\(|\brandomInt\(|\bsystemClock\b/.test(line) &&
          !/^\s*(\*|\/)/.test(line),
      ),
    );
    expect(strays.map(nameOf)).toEqual([]);
  });
});

/** A statement, or what only statements have in them. A sentence begins with a capital letter, SQL is of one case. */
const STATEMENT = [
  /^\s*(select|insert into|delete from|lock table|with \w+ as)\s/,
  /^\s*update \S+ (\S+ )?set\s/,
  /\bfrom \S+( \S+)? where\s|\border by\s|\bfor update\b|\$\d+::/,
];
const CONDITION = [
  /\bis (not )?null\b|\bin \('|\bwhere \S+ ?[=<>]/,
  /(^|[\s(])t\.[a-z_]+\b|->>|::(uuid|text|int\d|bool|jsonb|timestamptz)\b/,
];

function isSql({ text, member }: FoundText): boolean {
  const words = text.replace(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase());
  const telling = member === "sql" ? STATEMENT : [...STATEMENT, ...CONDITION];
  return telling.some((pattern) => pattern.test(words));
}

describe("SQL", () => {
  it("stays out of the domain's rules, but for the conditions of their lookups", () => {
    const strays = domainRules.flatMap((path) =>
      textsIn(textOf.get(path) ?? "")
        .filter(isSql)
        .map(({ line, text }) => `${nameOf(path)}:${line} ${text}`),
    );
    expect(strays).toEqual([]);
  });

  it("is known by its words in every file that is there for it", () => {
    const files = domain.filter((path) => path.endsWith(".sql.ts"));
    const unknown = files.filter((path) => !textsIn(textOf.get(path) ?? "").some(isSql));
    expect(files.length).toBeGreaterThan(20);
    expect(unknown.map(nameOf)).toEqual([]);
  });

  it.each([
    ["a = `select 1`", true],
    ['a = { sql: "t.deleted_at is null" }', false],
    ['a = { sql: "select 1" }', true],
    ['a = { where: "t.deleted_at is null" }', true],
    ['a("update tokens set name = $1")', true],
    ['a("DELETE FROM tokens")', true],
    ['a("Select an account, or update it.")', false],
  ])("is found in %s: %s", (source, expected) => {
    expect(textsIn(source).some(isSql)).toBe(expected);
  });
});

describe("tables", () => {
  it("are defined once: rows in memory are identified by their table description", () => {
    const describing = product.filter((path) => relative(source, path) !== "tables/tables.ts");
    const code = describing.map((path) => textOf.get(path) ?? "").join("\n");
    const names = [...code.matchAll(/\bdefine(?:Table|Records)<[^>]+>\(\s*"([a-z_]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(names).toHaveLength(code.match(/= define(Table|Records)\b/g)?.length ?? 0);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

/** What a statement may begin its values with: its platform, or the name that a platform is looked up by. */
const FIRST_VALUES = new Set(["platformId", "handle", "umaHandle", ""]);

describe("reads", () => {
  it("name their platform first, in whose share of the connections they are", () => {
    const strays = product.flatMap((path) =>
      [...(textOf.get(path) ?? "").matchAll(/\breads\.(?:rows|cells)\([^;[]*\[(\w*)/g)]
        .filter(([, first]) => !FIRST_VALUES.has(first ?? ""))
        .map(([call]) => `${nameOf(path)}: ${call}`),
    );
    expect(strays).toEqual([]);
  });
});

describe("text", () => {
  it("leaves no note for later and no switched-off test", () => {
    const left = typescript
      .filter((path) => !path.endsWith("tidy.test.ts"))
      .filter((path) => /\b(TODO|FIXME)\b|\.(only|skip)\(|\bxit\(/.test(textOf.get(path) ?? ""));
    expect(left.map(nameOf)).toEqual([]);
  });

  it("asks of no text whether it is a URL by the call that is wrong once compiled", () => {
    const wrong = product.filter((path) => /\bcanParse\(/.test(textOf.get(path) ?? ""));
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it("uses no default export", () => {
    const wrong = [...product, ...docsSite, ...consolePages].filter((path) =>
      /^export default/m.test(textOf.get(path) ?? ""),
    );
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it("names its subjects: STYLE.md, Language", () => {
    const vague = [...product, ...docsSite, ...consolePages]
      .filter((path) => !path.endsWith("/embedded-postgres/account.ts")) // `nobody` is an account there.
      .filter((path) => /\b(whoever|nobody)\b/i.test(textOf.get(path) ?? ""));
    expect(vague.map(nameOf)).toEqual([]);
  });

  it("names every file in kebab case", () => {
    const odd = [...product, ...docsSite, ...consolePages].filter(
      (path) => !/\/[a-z0-9-]+(\.sql|\.port)?\.tsx?$/.test(path),
    );
    expect(odd.map(nameOf)).toEqual([]);
  });
});

/** Words that say nothing about what a thing is. Names of the API's own fields are not ours to choose. */
const EMPTY_WORDS = /\b(service|manager|helper|util|utils|handler|processor|misc|common)\b/;

describe("names", () => {
  it("of files carry no empty words", () => {
    const empty = product.filter((path) =>
      EMPTY_WORDS.test(relative(source, path).replaceAll(/[-./]/g, " ")),
    );
    expect(empty.map(nameOf)).toEqual([]);
  });
});
