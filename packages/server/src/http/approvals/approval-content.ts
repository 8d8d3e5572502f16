/** The content of approvals. It is sealed before the command that stores it, and opened when it is shown or carried out. */
import {
  type Approval,
  contentIdentity,
  type SealedContent,
} from "../../domain/people/approvals/approval.ts";
import {
  type ApprovalPlace,
  hasTwoDeciders,
  isBlocked,
} from "../../domain/people/approvals/eligible-people.ts";
import { activePeople } from "../../domain/people/person.sql.ts";
import { findPlatform } from "../../domain/platform.sql.ts";
import { present } from "../../std/assert.ts";
import type { JsonObject } from "../../std/json.ts";
import { approvalJson } from "../../wire/people/approval.ts";
import type { Principal } from "../request/operation.ts";
import type { Services } from "../request/services.ts";

/** The returned `content` is `sent` as JSON, without members that are undefined. */
export function sealContent(
  { sealer, ids, clock }: Pick<Services, "sealer" | "ids" | "clock">,
  platformId: string,
  sent: object,
): SealedContent {
  const sealId = ids.next(clock.now());
  const text = JSON.stringify(sent);
  return {
    content: JSON.parse(text) as JsonObject,
    contentSealed: sealer.seal(text, contentIdentity(platformId, sealId)),
    sealId,
  };
}

export function openContent(
  { sealer }: Pick<Services, "sealer">,
  platformId: string,
  { contentSealed, sealId }: Pick<Approval, "contentSealed" | "sealId">,
): JsonObject {
  const bytes = sealer.open(contentSealed, contentIdentity(platformId, sealId));
  return JSON.parse(bytes.toString("utf8")) as JsonObject;
}

/** The platform of the approvals, and the people of its workspace as they are now. */
export async function placeOf(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
): Promise<ApprovalPlace> {
  const platform = present(await findPlatform(reads, platformId), "the platform of a caller");
  const people = await activePeople(reads, platform.workspaceId);
  return { platform, people, now: clock.now() };
}

/** Whether another person of the workspace may decide about payments. If so, no caller may confirm alone that money arrived. */
export async function isGuarded(
  services: Pick<Services, "reads" | "clock">,
  { platformId, environment }: Pick<Principal, "platformId" | "environment">,
): Promise<boolean> {
  return environment === "PRODUCTION" && hasTwoDeciders(await placeOf(services, platformId));
}

/** An approval in the form of its GET. `platformId` is the partition that stores it. */
export function shownApproval(
  services: Pick<Services, "sealer">,
  {
    platformId,
    place,
    content,
  }: {
    readonly platformId: string;
    readonly place: ApprovalPlace;
    /** Where it was opened already. */
    readonly content?: JsonObject;
  },
  approval: Approval,
): string {
  return approvalJson(approval, {
    platformId: place.platform?.id,
    content: content ?? openContent(services, platformId, approval),
    isBlocked: isBlocked(approval, place),
  });
}
