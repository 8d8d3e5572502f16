/** The guides of this repository, and which test file runs which: each file takes about as long as the others. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Guide, readGuide } from "./blocks.ts";
import { root } from "./workplace.ts";

export const guidesFolder = join(root, "docs/guides");

export const guides: ReadonlyMap<string, Guide> = new Map(
  readdirSync(guidesFolder).map((file) => [
    file.replace(/\.md$/, ""),
    readGuide(readFileSync(join(guidesFolder, file), "utf8")),
  ]),
);

export const guideRuns = {
  begin: ["quickstart", "concepts", "cli", "console", "versioning"],
  pay: ["payouts", "payroll", "marketplace", "standing-orders", "cross-currency", "uma"],
  build: ["embedded-wallets", "agents", "webhooks", "idempotency"],
  run: [
    "errors",
    "testing",
    "what-happened",
    "production",
    "uma-production",
    "uma-payments",
    "uma-operating",
    "uma-paying",
    "uma-sandbox",
    "operating",
  ],
} as const;
