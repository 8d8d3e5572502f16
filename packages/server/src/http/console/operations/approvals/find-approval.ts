/** Approvals over all partitions of a workspace: the platforms on which the person has a role, and the workspace itself. */
import { findApproval } from "../../../../domain/approvals/approval.sql.ts";
import type { Approval } from "../../../../domain/approvals/approval.ts";
import type { ApprovalPlace } from "../../../../domain/approvals/eligible-people.ts";
import { activePeople } from "../../../../domain/people/person.sql.ts";
import { type Person, rolesOn } from "../../../../domain/people/person.ts";
import { platformsOfWorkspace } from "../../../../domain/workspaces/workspace.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { requireId } from "../../../../wire/ids.ts";
import { shownApproval } from "../../../approvals/approval-content.ts";
import type { PersonPrincipal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { capabilitiesAt } from "../../console-entrance.ts";
import { maskedText } from "../../masking.ts";

/** A partition whose approvals the person may see. */
export interface SeenPlace {
  readonly platformId: string;
  readonly place: ApprovalPlace;
  /** Whether personal data are shown. */
  readonly isClear: boolean;
}

export interface Seen {
  readonly person: Person;
  readonly places: readonly SeenPlace[];
}

export async function placesSeenBy(
  { reads, clock }: Services,
  { workspaceId, personId }: PersonPrincipal,
): Promise<Seen> {
  const [people, platforms] = await Promise.all([
    activePeople(reads, workspaceId),
    platformsOfWorkspace(reads, workspaceId),
  ]);
  const person = people.find(({ id }) => id === personId);
  if (person === undefined) throw new Refusal("UNAUTHORIZED");
  const now = clock.now();
  const seen = platforms.filter(({ id }) => rolesOn(person, id).length > 0);
  const ofPlatforms = seen.map((platform) => ({
    platformId: platform.id,
    place: { platform, people, now },
    isClear: capabilitiesAt({ person }, platform, now).has("pii.read"),
  }));
  const seesPeople = capabilitiesAt({ person }, undefined, now).has("people.read");
  const own = { platformId: workspaceId, place: { platform: undefined, people, now } };
  return { person, places: seesPeople ? [...ofPlatforms, { ...own, isClear: true }] : ofPlatforms };
}

export interface FoundApproval extends SeenPlace {
  readonly person: Person;
  readonly approval: Approval;
}

/** An approval that the person may see: 404 otherwise. An id does not say where its object is, so each place is asked. */
export async function requireApproval(
  services: Services,
  principal: PersonPrincipal,
  rawId: string,
): Promise<FoundApproval> {
  const id = requireId("Approval", rawId, "APPROVAL_NOT_FOUND");
  const { person, places } = await placesSeenBy(services, principal);
  const found = await Promise.all(
    places.map(async (seen) => ({
      ...seen,
      approval: await findApproval(services.reads, seen.platformId, id),
    })),
  );
  for (const { approval, ...seen } of found) {
    if (approval !== undefined) return { ...seen, person, approval };
  }
  throw new Refusal("APPROVAL_NOT_FOUND");
}

export function seenApproval(services: Services, seen: SeenPlace, approval: Approval): string {
  const text = shownApproval(services, seen, approval);
  return seen.isClear ? text : maskedText(text);
}
