import type { Command } from "../../../engine/command.ts";
import { type Statement, statements } from "./statement.ts";

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

/** Ends the job of a statement with its figures. Changes nothing of one that is ready. Refuses nothing. */
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
