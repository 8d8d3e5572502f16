import type { Command } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import { internalAccounts } from "../internal/internal-account.ts";
import {
  momentsOfPeriod,
  monthlyNumber,
  type Statement,
  type StatementFormat,
  statements,
} from "./statement.ts";

export interface StatementOrder {
  readonly accountId: string;
  readonly fromDate: string;
  readonly toDate: string;
  readonly format: StatementFormat;
}

/** Orders a statement for days in the platform's time zone. Refuses an unknown account, and a period that has not ended. */
export const createStatement: Command<StatementOrder, Statement> = {
  name: "create-statement",
  needs: ({ platformId }, { accountId }) => [
    platforms.ref(platformId),
    internalAccounts.ref(accountId),
  ],
  decide(world, { accountId, fromDate, toDate, format }) {
    const account = world.find(internalAccounts.ref(accountId));
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { statementTimeZone: zone } = world.get(platforms.ref(world.platformId));
    const period = { fromDate, toDate, zone };
    if (momentsOfPeriod(period).to > world.at) {
      throw invalidField("to", `must be a day that is over, in ${zone}`);
    }

    const statement = world.put(statements, {
      id: world.newId(),
      accountId,
      currency: account.currency,
      format,
      ...period,
      number: monthlyNumber(period, account.createdAt),
      state: "PENDING",
      firstVersion: null,
      lastVersion: null,
      openingMinor: null,
      closingMinor: null,
      inMinor: null,
      outMinor: null,
      sha256: null,
      createdAt: world.at,
    });
    scheduleJob(world, {
      kind: "make-statement",
      payload: { statementId: statement.id },
      dueAt: world.at,
    });
    return statement;
  },
};

export interface StatementFigures {
  readonly firstVersion: bigint;
  readonly lastVersion: bigint;
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
  readonly inMinor: bigint;
  readonly outMinor: bigint;
}

interface Made extends StatementFigures {
  readonly statementId: string;
  readonly jobId: string;
  readonly sha256: string;
}

/** Stores the figures of a statement and ends its job. A READY statement stays as it is. Refuses nothing. */
export const recordStatement: Command<Made, Statement> = {
  name: "record-statement",
  needs: (_, { statementId }) => [statements.ref(statementId)],
  decide(world, { statementId, jobId, sha256, ...figures }) {
    const statement = world.get(statements.ref(statementId));
    world.cancel(jobId);
    if (statement.state === "READY") return statement;
    return world.put(statements, { ...statement, ...figures, sha256, state: "READY" });
  },
};
