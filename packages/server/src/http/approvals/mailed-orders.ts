/** The mails of an order that waits: who gets one, and what that person is shown. */
import {
  type Approval,
  approvalRows,
  findApproval,
} from "../../domain/people/approvals/approval.ts";
import { ruleAgainst } from "../../domain/people/approvals/decide-approval.ts";
import { approverOf } from "../../domain/people/approvals/eligible-people.ts";
import type { MailedOrders } from "../../domain/people/notices/approval-mail.ts";
import { type Person, rolesOn } from "../../domain/people/person.ts";
import {
  findWorkspace,
  platformsOfWorkspace,
} from "../../domain/people/workspaces/workspace.sql.ts";
import { findPlatform } from "../../domain/platform.sql.ts";
import { toIso } from "../../std/clock.ts";
import { workspacePlace } from "../console/operations/people/find-approval.ts";
import { slugsOf } from "../console/operations/people/session-answer.ts";
import type { Services } from "../request/services.ts";
import { openContent, placeOf } from "./approval-content.ts";
import { type ShownPlace, shownOrder } from "./shown-order.ts";

/** People are not mailed of more orders than this of a platform in an hour. The console has all of them. */
const MOST_AN_HOUR = 20;
const HOUR_MS = 60 * 60_000;
/** The most people who are mailed of an order. */
const MOST_PEOPLE = 50;

type Tools = Pick<Services, "reads" | "clock" | "sealer"> & {
  /** Undefined for a server that does not know under which address people reach it. */
  readonly consoleOrigin: string | undefined;
};

export function mailedOrders(tools: Tools): MailedOrders {
  const { reads } = tools;
  return {
    async recipientsOf(platformId, approvalId) {
      const approval = await findApproval(reads, platformId, approvalId);
      if (approval?.state !== "PENDING" || (await isOneOfMany(tools, platformId, approval)))
        return [];
      const at = await placeAt(tools, platformId);
      const able = at.place.people.filter((person) => mayDecide(approval, person, at));
      return able.slice(0, MOST_PEOPLE).map(({ id }) => id);
    },
    async mailTo(platformId, { approvalId, recipientId }) {
      const approval = await findApproval(reads, platformId, approvalId);
      if (approval?.state !== "PENDING") return undefined;
      const at = await placeAt(tools, platformId);
      const person = at.place.people.find((one) => one.id === recipientId);
      if (person === undefined || !mayDecide(approval, person, at)) return undefined;
      const content = openContent(tools, platformId, approval);
      const [shown, workspace, url] = await Promise.all([
        shownOrder(tools, at, { approval, content }),
        findWorkspace(reads, at.workspaceId),
        urlFor(tools, at, { person, approvalId }),
      ]);
      return { to: person.email, workspaceName: workspace?.name ?? "", shown, url };
    },
  };
}

async function isOneOfMany({ reads }: Tools, platformId: string, approval: Approval) {
  const since = toIso(approval.createdAt - HOUR_MS);
  const { rows } = await approvalRows(reads, {
    platformId,
    conditions: [{ sql: "t.created_at > ?::timestamptz", value: since }],
    after: approval.id,
    limit: MOST_AN_HOUR,
  });
  return rows.length === MOST_AN_HOUR;
}

/** One who decides sees personal data, see `ruleAgainst`. A person who is alone in a sandbox knows what they asked for. */
function mayDecide(approval: Approval, person: Person, { place }: ShownPlace): boolean {
  return (
    approval.requesterId !== person.id &&
    ruleAgainst(approval, approverOf(person, place)) === undefined
  );
}

async function placeAt(tools: Tools, platformId: string): Promise<ShownPlace> {
  const platform = await findPlatform(tools.reads, platformId);
  if (platform === undefined)
    return {
      ...(await workspacePlace(tools, { workspaceId: platformId })),
      workspaceId: platformId,
    };
  const { workspaceId, environment } = platform;
  return { workspaceId, platformId, environment, place: await placeOf(tools, platformId) };
}

/** The page of the approval, on a platform that the person may open. */
async function urlFor(
  { reads, consoleOrigin }: Tools,
  { workspaceId, place }: ShownPlace,
  { person, approvalId }: { readonly person: Person; readonly approvalId: string },
): Promise<string | undefined> {
  if (consoleOrigin === undefined) return undefined;
  const platforms = await platformsOfWorkspace(reads, workspaceId);
  const open =
    place.platform?.id ?? platforms.find(({ id }) => rolesOn(person, id).length > 0)?.id ?? "";
  const slug = slugsOf(platforms).get(open);
  return slug && `${consoleOrigin}/console/p/${slug}/approvals/Approval:${approvalId}`;
}
