/**
 * Checks the agreements of people: the content of each approval has the digest that is stored, the kept text of what was shown has its
 * digest too, and each agreement is a passkey's signature over the id and both digests, by a passkey of the person who is named.
 * Agreements of earlier versions have no shown text. Passkeys stay in their table after they were deleted.
 */
import { createHash } from "node:crypto";
import {
  type Approval,
  type ApprovalDecision,
  challengeText,
  digestOf,
  type KeptAssertion,
  toApprovalId,
} from "../domain/people/approvals/approval.ts";
import type { ApprovalKind } from "../domain/people/approvals/approval-kinds.ts";
import { type Showing, showingDigest } from "../domain/people/approvals/shown/shown.ts";
import { toPersonId } from "../domain/people/person.ts";
import { BEFORE_ALL_IDS } from "../std/ids.ts";
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
  /** Opens the sealed text of what a person was shown; throws where that is not possible. */
  readonly openShowing: (
    platformId: string,
    sealed: { readonly textSealed: string; readonly sealId: string },
  ) => string;
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
      const what = await faultOf(row, decision, { reader, workspaceId, platformId, checks });
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
  decision: ApprovalDecision,
  { reader, workspaceId, platformId, checks }: Place,
): Promise<string | undefined> {
  const { by, assertion, shownDigest } = decision;
  if (assertion === null) return "has no signature";
  if (shownDigest !== undefined) {
    const what = await showingFault(row, decision, { reader, platformId, checks });
    if (what !== undefined) return what;
  }
  const text = challengeText(row, shownDigest);
  const challenge = createHash("sha256").update(text).digest("base64url");
  if (!(await checks.isSigned(assertion, challenge))) return "has a signature of something else";
  const owners = await reader.query(
    "select person_id from person_passkeys where platform_id = $1::uuid and credential_id = $2::text and public_key = $3::text",
    [workspaceId, assertion.credentialId, assertion.publicKey],
  );
  const isTheirs = owners.some(([personId]: Cells) => toPersonId(personId ?? "") === by);
  return isTheirs ? undefined : "is signed by a passkey of somebody else";
}

interface Place {
  readonly reader: Reader;
  readonly workspaceId: string;
  readonly platformId: string;
  readonly checks: ApprovalChecks;
}

/** What is wrong with the kept text of what a person was shown. */
async function showingFault(
  row: Row,
  { by, showingId, shownDigest }: ApprovalDecision,
  { reader, platformId, checks }: Omit<Place, "workspaceId">,
): Promise<string | undefined> {
  const [cells] = await reader.query(
    "select text_sealed, seal_id from approval_showings where platform_id = $1::uuid and id = $2::uuid",
    [platformId, showingId ?? BEFORE_ALL_IDS],
  );
  if (cells === undefined) return "has lost what was shown";
  const [textSealed, sealId] = cells;
  const text = openedText(checks, platformId, {
    textSealed: textSealed ?? "",
    sealId: sealId ?? "",
  });
  if (text === undefined || showingDigest(text) !== shownDigest) return "has another text shown";
  const { approvalId, contentDigest, to } = JSON.parse(text) as Showing;
  const isIts =
    approvalId === toApprovalId(row.id) && contentDigest === row.contentDigest && to === by;
  return isIts ? undefined : "is about something else that was shown";
}

function openedText(
  { openShowing }: ApprovalChecks,
  platformId: string,
  sealed: { readonly textSealed: string; readonly sealId: string },
): string | undefined {
  try {
    return openShowing(platformId, sealed);
  } catch {
    return undefined;
  }
}

/** The workspace of a platform; a workspace is its own. */
async function workspaceOf(reader: Reader, platformId: string): Promise<string> {
  const [cells] = await reader.query(
    "select workspace_id from platforms where platform_id = $1::uuid and id = $1::uuid",
    [platformId],
  );
  return cells?.[0] ?? platformId;
}
