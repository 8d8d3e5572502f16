/**
 * Ties an agreement to what was shown. The answer that shows an order has the shown facts a second time, sealed for the one person. The
 * person sends the sealed facts back with the agreement, and the passkey signs their digest. So the facts that move, such as a balance,
 * are those that were on the screen, and nothing is stored before somebody agrees. What must not have moved meanwhile is read again.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Approval, toApprovalId } from "../../domain/people/approvals/approval.ts";
import {
  type AgreedShowing,
  showingIdentity,
} from "../../domain/people/approvals/shown/kept-showing.ts";
import {
  changedFacts,
  type Showing,
  showingDigest,
  showingText,
} from "../../domain/people/approvals/shown/shown.ts";
import { toPersonId } from "../../domain/people/person.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import { SealBroken } from "../../secrets/sealing.ts";
import { toIso } from "../../std/clock.ts";
import type { JsonObject } from "../../std/json.ts";
import type { Services } from "../request/services.ts";
import { type ShownPlace, shownOrder } from "./shown-order.ts";

/** Facts that were shown longer ago than this must be looked at again. */
const SHOWN_FOR_MS = 15 * 60_000;

/** Longer than the sealed facts of any order that fits into a request. */
export const LONGEST_SHOWN = 200_000;
/** A text beyond this cannot have been made here. */
const MOST_BYTES = 8 * 1024 * 1024;

type Tools = Pick<Services, "reads" | "clock" | "sealer" | "ids">;

export interface ShownTo extends ShownPlace {
  readonly approval: Approval;
  readonly content: JsonObject;
  readonly personId: string;
}

/** What the person is shown now, and the same sealed. */
export interface SealedShowing {
  readonly showing: Showing;
  readonly sealed: string;
}

export async function showTo(services: Tools, to: ShownTo): Promise<SealedShowing> {
  const { approval } = to;
  const shown = await shownOrder(services, to, to);
  const showing: Showing = {
    ...shown,
    approvalId: toApprovalId(approval.id),
    contentDigest: approval.contentDigest,
    to: toPersonId(to.personId),
    at: toIso(services.clock.now()),
  };
  const bytes = deflateRawSync(showingText(showing)).toString("base64url");
  return { showing, sealed: services.sealer.seal(bytes, transportIdentity(to)) };
}

/** Names the one order and the one person that the facts were sealed for. */
function transportIdentity({ platformId, approval, personId }: ShownTo): string {
  return `approvals.shown ${platformId} ${approval.id} ${personId}`;
}

/** The facts that the person sends back. Refuses facts that were not sealed for this person and this order. */
export function shownBack(
  services: Omit<Tools, "reads">,
  to: ShownTo,
  sealed: string | undefined,
): AgreedShowing {
  const text = openedText(services, to, sealed);
  const sealId = services.ids.next(services.clock.now());
  const textSealed = services.sealer.seal(text, showingIdentity(to.platformId, sealId));
  const showing = JSON.parse(text) as Showing;
  return { showing, digest: showingDigest(text), textSealed, sealId };
}

/** Refuses with CONFLICT facts that were shown too long ago, and then facts of which one that does not move is another now. */
export async function refuseChanged(
  services: Tools,
  to: ShownTo,
  { showing }: AgreedShowing,
): Promise<void> {
  if (services.clock.now() - Date.parse(showing.at) > SHOWN_FOR_MS) {
    const message = "You were shown this more than 15 minutes ago; look at it again.";
    throw new Refusal("CONFLICT", { shownAt: showing.at }, message);
  }
  const changed = changedFacts(showing, await shownOrder(services, to, to));
  if (changed.length === 0) return;
  const message = "What you were shown has changed meanwhile; look at it again.";
  throw new Refusal("CONFLICT", { changed }, message);
}

function openedText(
  { sealer }: Pick<Tools, "sealer">,
  to: ShownTo,
  sealed: string | undefined,
): string {
  const unknown = () =>
    invalidField("shown", "must be the `shown.sealed` of this approval, as you got it");
  if (sealed === undefined) throw unknown();
  try {
    const bytes = sealer.open(sealed, transportIdentity(to)).toString("utf8");
    const text = inflateRawSync(Buffer.from(bytes, "base64url"), { maxOutputLength: MOST_BYTES });
    return text.toString("utf8");
  } catch (error) {
    if (error instanceof SealBroken) throw unknown();
    throw error;
  }
}

/** What a person was shown when they agreed. */
export function openShowing(
  { sealer }: Pick<Services, "sealer">,
  platformId: string,
  { textSealed, sealId }: Pick<AgreedShowing, "textSealed" | "sealId">,
): Showing {
  const bytes = sealer.open(textSealed, showingIdentity(platformId, sealId));
  return JSON.parse(bytes.toString("utf8")) as Showing;
}
