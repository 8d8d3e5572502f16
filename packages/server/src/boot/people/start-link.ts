/** The link by which the first owner of a workspace signs up. Its code is in the fragment, which browsers do not send to servers. */

import { hasAnyOperator, hasAnyOwner } from "../../domain/people/person.sql.ts";
import { hashLinkCode } from "../../domain/people/person-link.ts";
import { issueStartLink } from "../../domain/people/start-link.ts";
import { listWorkspaces } from "../../domain/people/workspaces/workspace.sql.ts";
import type { Answered } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { newLinkCode } from "../../http/console/link-code.ts";
import type { Reads } from "../../postgres/database.ts";

/** Issues a link for a workspace. The person who uses it becomes an operator of the deployment if there is none yet. */
export async function issueLink(
  { engine, reads }: { readonly engine: Engine; readonly reads: Reads },
  workspaceId: string,
): Promise<{ readonly code: string; readonly answered: Answered }> {
  const code = newLinkCode();
  const makesOperator = !(await hasAnyOperator(reads));
  const answered = await engine.submit({
    platformId: workspaceId,
    actor: { kind: "operator", id: "bootstrap" },
    command: issueStartLink,
    input: { codeHash: hashLinkCode(code), makesOperator },
    toAnswer: () => ({ status: 201, body: "" }),
  });
  return { code, answered };
}

/** The code of the link that a start prints while no workspace has an owner; undefined afterwards. */
export async function firstStartCode(tools: {
  readonly engine: Engine;
  readonly reads: Reads;
}): Promise<string | undefined> {
  if (await hasAnyOwner(tools.reads)) return undefined;
  const [first] = await listWorkspaces(tools.reads);
  if (first === undefined) return undefined;
  const { code, answered } = await issueLink(tools, first.id);
  return answered.status === 201 ? code : undefined;
}
