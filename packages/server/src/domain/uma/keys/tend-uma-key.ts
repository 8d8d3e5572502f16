/**
 * The job of a key: it carries out what is due at a time of the host's clock. Each act is one commit that looks at the row again, so a job
 * that runs twice, or on two servers, acts once.
 *
 *   NEXT      at `takesOverAt`: the key takes over
 *   PREVIOUS  at `destroyAt`: its private part is destroyed
 *   CURRENT   self-signed, 30 days before `notAfter`: another certificate for the same key
 *             of an authority, 30, 7 and 1 days before `notAfter`, and then: events
 */
import type { Command, World } from "../../../engine/command.ts";
import { takeOver } from "./rotate-uma-key.ts";
import {
  destroyedKey,
  dueNotice,
  type KeyCertificate,
  liveUmaKeys,
  nextActAt,
  putUmaKey,
  RENEWED_BEFORE_MS,
  type UmaKey,
  umaKeySubject,
  umaKeys,
} from "./uma-key.ts";

export interface TendUmaKeyInput {
  readonly keyId: string;
  readonly jobId: string;
  /** Another self-signed certificate, when one is due. */
  readonly certificate: KeyCertificate | undefined;
  /** Host time. */
  readonly now: number;
}

/** How soon the job looks again when the certificate that became due meanwhile was not made. */
const SOON_MS = 1_000;

/** Returns the milliseconds until the job has something to do; undefined when it is over. */
export const tendUmaKey: Command<TendUmaKeyInput, number | undefined> = {
  name: "tend-uma-key",
  needs: (_world, { keyId }) => [umaKeys.ref(keyId), liveUmaKeys],
  decide(world, { keyId, jobId, certificate, now }) {
    const key = world.find(umaKeys.ref(keyId));
    if (key?.jobId !== jobId) {
      world.cancel(jobId);
      return undefined;
    }
    const dueAt = nextActAt(key);
    if (dueAt !== undefined && now < dueAt) return dueAt - now;
    if (needsCertificate(key, now) && certificate === undefined) return SOON_MS;
    act(world, key, { certificate, now });
    // The act has cancelled this job and scheduled another one.
    return undefined;
  },
};

/** Whether a self-signed certificate is to be replaced. */
export function needsCertificate({ status, source, notAfter }: UmaKey, now: number): boolean {
  return status === "CURRENT" && source === "SELF_SIGNED" && now >= notAfter - RENEWED_BEFORE_MS;
}

function act(
  world: World,
  key: UmaKey,
  { certificate, now }: Pick<TendUmaKeyInput, "certificate" | "now">,
): void {
  if (key.status === "NEXT") takeOver(world, key, now);
  else if (key.status === "PREVIOUS") putUmaKey(world, destroyedKey(key), now);
  else if (certificate !== undefined && key.source === "SELF_SIGNED")
    putUmaKey(world, { ...key, ...certificate }, now);
  else notify(world, key, now);
}

/** A job that is late sends the last notice that is due, and not those before it. */
function notify(world: World, key: UmaKey, now: number): void {
  const days = dueNotice(key, now);
  if (days === undefined) return;
  const told = putUmaKey(world, { ...key, toldDays: days }, now);
  if (days === 0) world.emit("UMA_KEY.EXPIRED", umaKeySubject(told));
  else world.emit("UMA_KEY.EXPIRING", umaKeySubject(told));
}
