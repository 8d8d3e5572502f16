/** Approvals over all partitions of a workspace: the platforms on which the person has a role, and the workspace itself. */

import type { Approval } from "../../../../domain/people/approvals/approval.ts";
import { findApproval } from "../../../../domain/people/approvals/approval.ts";
import type { ApprovalPlace } from "../../../../domain/people/approvals/eligible-people.ts";
import { activePeople } from "../../../../domain/people/person.sql.ts";
import { type Person, rolesOn } from "../../../../domain/people/person.ts";
import { platformsOfWorkspace } from "../../../../domain/people/workspaces/workspace.sql.ts";
import type { Environment } from "../../../../domain/platform.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { eachAtOnce } from "../../../../std/admission/each-at-once.ts";
import { requireId } from "../../../../wire/ids.ts";
import { openContent, shownApproval } from "../../../approvals/approval-content.ts";
import type { ShownTo } from "../../../approvals/showing.ts";
import type { PersonPrincipal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { capabilitiesAt } from "../../console-entrance.ts";
import { maskedText } from "../../masking.ts";

/** A workspace has up to 20 platforms. Reading all of them at once would take every read connection of this server. */
export const PLACES_AT_ONCE = 3;

/** A partition of the workspace: a platform, or the workspace itself. */
export interface WorkspacePlace {
  readonly platformId: string;
  /** For the workspace itself, PRODUCTION when one of its platforms is. */
  readonly environment: Environment;
  readonly place: ApprovalPlace;
}

/** A partition whose approvals the person may see. */
export interface SeenPlace extends WorkspacePlace {
  /** Whether personal data are shown unmasked. */
  readonly isClear: boolean;
}

export interface Seen {
  readonly person: Person;
  readonly places: readonly SeenPlace[];
}

/** The partitions of the platforms on which the person has a role, and of the workspace. */
export async function placesOfWorkspace(
  { reads, clock }: Services,
  { workspaceId, personId }: PersonPrincipal,
): Promise<readonly WorkspacePlace[]> {
  const [people, platforms] = await Promise.all([
    activePeople(reads, workspaceId),
    platformsOfWorkspace(reads, workspaceId),
  ]);
  const person = requireActive(people, personId);
  const now = clock.now();
  const isProduction = platforms.some(({ environment }) => environment === "PRODUCTION");
  const ofPlatforms = platforms
    .filter(({ id }) => rolesOn(person, id).length > 0)
    .map((platform) => ({
      platformId: platform.id,
      environment: platform.environment,
      place: { platform, people, now },
    }));
  const own: WorkspacePlace = {
    platformId: workspaceId,
    environment: isProduction ? "PRODUCTION" : "SANDBOX",
    place: { platform: undefined, people, now },
  };
  return [...ofPlatforms, own];
}

/** The workspace itself, and the ids of its production platforms. */
export async function workspacePlace(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  { workspaceId }: Pick<PersonPrincipal, "workspaceId">,
): Promise<WorkspacePlace & { readonly productionIds: ReadonlySet<string> }> {
  const [people, platforms] = await Promise.all([
    activePeople(reads, workspaceId),
    platformsOfWorkspace(reads, workspaceId),
  ]);
  const production = platforms.filter(({ environment }) => environment === "PRODUCTION");
  return {
    platformId: workspaceId,
    environment: production.length > 0 ? "PRODUCTION" : "SANDBOX",
    place: { platform: undefined, people, now: clock.now() },
    productionIds: new Set(production.map(({ id }) => id)),
  };
}

function requireActive(people: readonly Person[], personId: string): Person {
  const person = people.find(({ id }) => id === personId);
  if (person === undefined) throw new Refusal("UNAUTHORIZED");
  return person;
}

/** The partitions whose approvals the person may see. */
export async function placesSeenBy(services: Services, principal: PersonPrincipal): Promise<Seen> {
  const all = await placesOfWorkspace(services, principal);
  const person = requireActive(all[0]?.place.people ?? [], principal.personId);
  const places = all.flatMap((one) => {
    const { platform, now } = one.place;
    const capabilities = capabilitiesAt({ person }, platform, now);
    if (platform === undefined && !capabilities.has("people.read")) return [];
    return [{ ...one, isClear: platform === undefined || capabilities.has("pii.read") }];
  });
  return { person, places };
}

export interface FoundApproval extends SeenPlace {
  readonly person: Person;
  readonly approval: Approval;
}

/** An approval that the person may see; 404 for any other. An id does not name its partition, so every partition is read. */
export async function requireApproval(
  services: Services,
  principal: PersonPrincipal,
  rawId: string,
): Promise<FoundApproval> {
  const id = requireId("Approval", rawId, "APPROVAL_NOT_FOUND");
  const { person, places } = await placesSeenBy(services, principal);
  const found = await eachAtOnce(places, PLACES_AT_ONCE, async (seen) => ({
    ...seen,
    approval: await findApproval(services.reads, seen.platformId, id),
  }));
  for (const { approval, ...seen } of found) {
    if (approval !== undefined) return { ...seen, person, approval };
  }
  throw new Refusal("APPROVAL_NOT_FOUND");
}

export function seenApproval(services: Services, seen: SeenPlace, approval: Approval): string {
  const text = shownApproval(services, seen, approval);
  return seen.isClear ? text : maskedText(text);
}

/** The order with those who are asked about it, as it is shown to the person. */
export function shownTo(
  services: Services,
  { workspaceId, personId }: PersonPrincipal,
  { approval, platformId, environment, place }: FoundApproval,
): ShownTo {
  const content = openContent(services, platformId, approval);
  return { workspaceId, platformId, environment, place, approval, content, personId };
}
