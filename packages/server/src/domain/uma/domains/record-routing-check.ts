import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { RoutingFault } from "./routing-faults.ts";
import { type UmaDomain, umaDomainSubject, umaDomains } from "./uma-domain-row.ts";

export interface RoutingCheckInput {
  readonly domainId: string;
  readonly faults: readonly RoutingFault[];
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Failed checks in a row after which an active domain is unreachable. */
const FAILED_CHECKS = 3;

/**
 * Records a check that a caller asked for. With the first one without faults the daily checks begin; later ones do not move them. Refuses
 * a domain that the platform does not have, or has released: REFERENCE_NOT_FOUND.
 */
export const recordRoutingCheck: Command<RoutingCheckInput, UmaDomain> = {
  name: "record-uma-domain-check",
  needs: (_world, { domainId }) => [umaDomains.ref(domainId)],
  decide(world, { domainId, faults }) {
    const found = world.find(umaDomains.ref(domainId));
    if (found === undefined || found.deletedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
    const checked = judged(world, found, faults);
    const isFirst = checked.status === "ACTIVE" && checked.nextCheckAt === null;
    return put(world, { before: found, after: isFirst ? withNext(world, checked) : checked });
  },
};

export interface DailyCheckInput {
  readonly domainId: string;
  readonly jobId: string;
  /** The due time of the job. Platform time. */
  readonly dueAt: number;
  /** Undefined when the job found that its check is not the next one any more. */
  readonly faults: readonly RoutingFault[] | undefined;
}

/**
 * Records the daily check and plans the next one. The job of a check that was recorded, or whose domain was released, ends without effect:
 * so a check counts once over crashes and servers.
 */
export const recordDailyCheck: Command<DailyCheckInput, undefined> = {
  name: "record-daily-uma-domain-check",
  needs: (_world, { domainId }) => [umaDomains.ref(domainId)],
  decide(world, { domainId, jobId, dueAt, faults }) {
    world.cancel(jobId);
    const found = world.find(umaDomains.ref(domainId));
    if (found === undefined || faults === undefined || !isNext(found, dueAt)) return undefined;
    const after = withNext(world, judged(world, found, faults));
    put(world, { before: found, after });
    return undefined;
  },
};

/** Whether the job with this due time makes the next check of the domain. */
export function isNext({ deletedAt, nextCheckAt }: UmaDomain, dueAt: number): boolean {
  return deletedAt === null && nextCheckAt === dueAt;
}

function judged(world: World, found: UmaDomain, faults: readonly RoutingFault[]): UmaDomain {
  const ok = faults.length === 0;
  const failedChecks = ok ? 0 : found.failedChecks + 1;
  const isLost = found.status === "ACTIVE" && failedChecks >= FAILED_CHECKS;
  return {
    ...found,
    status: ok ? "ACTIVE" : isLost ? "UNREACHABLE" : found.status,
    verifiedAt: found.verifiedAt ?? (ok ? world.at : null),
    lastCheck: { at: world.at, ok, faults },
    failedChecks,
    updatedAt: world.at,
  };
}

function withNext(world: World, domain: UmaDomain): UmaDomain {
  const nextCheckAt = world.at + DAY_MS;
  scheduleJob(world, {
    kind: "check-uma-domain",
    payload: { domainId: domain.id, dueAt: nextCheckAt },
    dueAt: nextCheckAt,
  });
  return { ...domain, nextCheckAt };
}

function put(
  world: World,
  { before, after }: { readonly before: UmaDomain; readonly after: UmaDomain },
): UmaDomain {
  const umaDomain = world.put(umaDomains, after);
  if (after.status === "UNREACHABLE" && before.status === "ACTIVE") {
    world.emit("UMA_DOMAIN.UNREACHABLE", umaDomainSubject(umaDomain));
  }
  if (after.status === "ACTIVE" && before.status === "UNREACHABLE") {
    world.emit("UMA_DOMAIN.REACHABLE", umaDomainSubject(umaDomain));
  }
  return umaDomain;
}
