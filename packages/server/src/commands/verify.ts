import { OVERDUE_PAYMENTS, reconciliations } from "../audit/reconciliation.sql.ts";
import { type VerifyReport, verifyPlatforms } from "../audit/verify-platform.ts";
import { openStore } from "../boot/open-database.ts";
import { approvalChecks } from "../boot/people/approval-checks.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../std/clock.ts";
import { createLog } from "../std/log.ts";
import { print, printError } from "./print.ts";

/** `florin verify`: recomputes the books and the log, compares them with the payments, and reports discrepancies. */
export async function verifyFromShell(config: Config): Promise<boolean> {
  const store = await openStore(config, {
    clock: systemClock,
    log: createLog(config.LOG_LEVEL),
    mayJoin: true,
    mustExist: true,
  });
  try {
    const report = await store.database.withClient((client) =>
      verifyPlatforms({
        client,
        sealer: store.dataSealer,
        reconciliations,
        approvals: approvalChecks(store.sealer),
        overdue: { text: OVERDUE_PAYMENTS, now: systemClock.now() },
        onProgress: ({ commands }) => printError(`checked ${commands} commands …`),
      }),
    );
    for (const line of toLines(report)) print(line);
    return report.ok;
  } finally {
    await store.close();
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The report for people. */
export function toLines(report: VerifyReport): readonly string[] {
  const { platforms, workspaces, commands, entries, events, accounts } = report;
  const checked =
    `Checked ${counted(platforms, "platform")} and ${counted(workspaces, "workspace")}: ` +
    `${commands} commands, ${entries} ledger entries, ` +
    `${events} events, ${accounts} ledger accounts.`;
  if (report.ok) {
    const isEmpty = platforms === 0;
    return [
      checked,
      isEmpty ? "There is no platform yet, and nothing to check." : "Everything adds up.",
    ];
  }
  const found = report.problems.map(
    ({ platformId, table, row, what }) => `platform ${platformId}, ${table}, ${row}: ${what}`,
  );
  const more = report.problemCount - found.length;
  if (more > 0) found.push(`… and ${more} more`);
  return [
    checked,
    "Something does not add up; the first problem found is the first line:",
    ...found,
  ];
}
