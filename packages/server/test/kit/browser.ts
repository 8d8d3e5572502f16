/** A headless Chromium from npm: unpacked once per checkout, started per test file. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";

/** The package has a binary for Linux on x64 only. */
export const hasBrowser = process.platform === "linux" && process.arch === "x64";

export async function startBrowser(): Promise<Browser> {
  const place = await unpacked();
  const libraries = [process.env.LD_LIBRARY_PATH, join(place, "al2023/lib")];
  return chromium.launch({
    executablePath: join(place, "chromium"),
    // Not the package's own list: it sets a single process and disables web security.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    env: { ...process.env, LD_LIBRARY_PATH: libraries.filter(Boolean).join(":") },
  });
}

/** Console messages, script errors and violations of the content security policy of a page. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // A page that is left ends its requests.
    if (why !== "net::ERR_ABORTED") complaints.push(`${request.url()} failed: ${why}`);
  });
  return complaints;
}

const modules = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));
const cache = join(modules, ".cache");

async function packageVersion(): Promise<string> {
  const manifest = await readFile(join(modules, "@sparticuz/chromium/package.json"), "utf8");
  return JSON.parse(manifest).version;
}

/** Atomic: unpacks into a temporary directory and renames it. */
async function unpacked(): Promise<string> {
  const place = join(cache, `chromium-${await packageVersion()}`);
  if (existsSync(place)) return place;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "chromium-new-"));
  const script = "import('@sparticuz/chromium').then(({ default: it }) => it.executablePath())";
  await promisify(execFile)(process.execPath, ["-e", script], {
    cwd: cache,
    // The package unpacks into TMPDIR, and unpacks its libraries only when it detects AWS Lambda.
    env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
  // Another process may have renamed its copy first.
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true, force: true }));
  return place;
}

export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly where: readonly string[];
}

let axeSource: Promise<string> | undefined;

/** Violations of WCAG 2.2 A and AA and of best practices, found by axe. */
export async function accessibilityFaults(page: Page): Promise<readonly Violation[]> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await axeSource);
  const found = (await page.evaluate("axe.run()")) as {
    readonly violations: readonly {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
    readonly passes: readonly unknown[];
  };
  if (found.passes.length === 0) throw new Error("axe looked at nothing");
  return found.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ html }) => html),
  }));
}

/** Role and accessible name of the focused element. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "nothing";
    const label = element.labels?.[0]?.textContent ?? element.textContent;
    return element.tagName.toLowerCase() + " " + label.trim();
  })()`);
}
