/**
 * Checks the agreements of people: the content of each approval has the digest that is stored, and each agreement is a passkey's
 * signature over the id and that digest, by a passkey of the person who is named. Passkeys stay in their table after they were deleted.
 */
import { createHash } from "node:crypto";
import {
  type Approval,
  type ApprovalDecision,
  challengeText,
  digestOf,
  type KeptAssertion,
} from "../domain/people/approvals/approval.ts";
import type { ApprovalKind } from "../domain/people/approvals/approval-kinds.ts";
import { toPersonId } from "../domain/people/person.ts";
import type { JsonObject } from "../std/json.ts";
import type { Tell } from "./verify-books.ts";
import { type Cells, type Reader, readEnd, takeWhile, type Walk, walk } from "./verify-rows.ts";

export interface ApprovalChecks {
  /** Whether the passkey of the assertion has signed this challenge. */
  readonly isSigned: (assertion: KeptAssertion, challenge: string) => Promise<boolean>;
  /** Opens a sealed content; throws where that is not possible. */
  readonly open: (
    platformId: string,
    sealed: { contentSealed: string; sealId: string },
  ) => JsonObject;
}

type Row = Pick<
  Approval,
  "id" | "kind" | "act" | "summary" | "contentSealed" | "sealId" | "contentDigest" | "decisions"
>;

const approvalWalk: Walk<Row> = {
  table: "approvals",
  columns: "id, kind, act, summary, content_sealed, seal_id, content_digest, decisions",
  key: ["id"],
  keyTypes: ["uuid"],
  pageRows: 500,
  decode: ([id, kind, act, summary, contentSealed, sealId, contentDigest, decisions]) => ({
    id: id ?? "",
    kind: kind as ApprovalKind,
    act: act ?? "",
    summary: summary ?? "",
    contentSealed: contentSealed ?? "",
    sealId: sealId ?? "",
    contentDigest: contentDigest ?? "",
    decisions: JSON.parse(decisions ?? "[]"),
  }),
};

export async function verifyApprovals(
  reader: Reader,
  platformId: string,
  { checks, tell }: { readonly checks: ApprovalChecks; readonly tell: Tell },
): Promise<void> {
  const end = await readEnd(reader, platformId, approvalWalk);
  const rows = walk(reader, { platformId, of: approvalWalk, end });
  const agreed: { readonly row: Row; readonly decision: ApprovalDecision }[] = [];
  const report = (row: Row, what: string) => tell({ table: "approvals", row: row.id, what });
  const workspaceId = await workspaceOf(reader, platformId);
  for (let isOver = false; !isOver; ) {
    let taken = 0;
    await takeWhile(
      rows,
      () => taken < approvalWalk.pageRows,
      (row) => {
        taken += 1;
        if (!hasDigest(row, platformId, checks)) report(row, "its content has another digest");
        for (const decision of row.decisions)
          if (decision.outcome === "APPROVED") agreed.push({ row, decision });
      },
    );
    isOver = taken < approvalWalk.pageRows;
    for (const { row, decision } of agreed.splice(0)) {
      const what = await faultOf(row, decision, { reader, workspaceId, checks });
      if (what !== undefined) report(row, `the agreement of ${decision.by} ${what}`);
    }
  }
}

function hasDigest(row: Row, platformId: string, { open }: ApprovalChecks): boolean {
  try {
    return digestOf(row, open(platformId, row)) === row.contentDigest;
  } catch {
    return false;
  }
}

async function faultOf(
  row: Row,
  { by, assertion }: ApprovalDecision,
  { reader, workspaceId, checks }: { reader: Reader; workspaceId: string; checks: ApprovalChecks },
): Promise<string | undefined> {
  if (assertion === null) return "has no signature";
  const challenge = createHash("sha256").update(challengeText(row)).digest("base64url");
  if (!(await checks.isSigned(assertion, challenge))) return "has a signature of something else";
  const owners = await reader.query(
    "select person_id from person_passkeys where platform_id = $1::uuid and credential_id = $2::text and public_key = $3::text",
    [workspaceId, assertion.credentialId, assertion.publicKey],
  );
  const isTheirs = owners.some(([personId]: Cells) => toPersonId(personId ?? "") === by);
  return isTheirs ? undefined : "is signed by a passkey of somebody else";
}

/** The workspace of a platform; a workspace is its own. */
async function workspaceOf(reader: Reader, platformId: string): Promise<string> {
  const [cells] = await reader.query(
    "select workspace_id from platforms where platform_id = $1::uuid and id = $1::uuid",
    [platformId],
  );
  return cells?.[0] ?? platformId;
}
