import type { Command, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { mailPeople } from "../notices/person-notice.ts";
import { activeOwners } from "../person.ts";
import { type AutoJoin, liveIssuers, type SsoIssuer, ssoIssuers } from "./sso-issuer.ts";
import {
  MOST_CLAIMED_NAMES,
  type SsoSettings,
  ssoNameHandle,
  ssoSettings,
} from "./sso-settings.ts";

/** A client secret that the caller of the command has sealed. */
export interface SealedClientSecret {
  readonly sealId: string;
  readonly sealed: string;
}

export interface WantedIssuer {
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined keeps the stored secret. */
  readonly secret: SealedClientSecret | undefined;
  readonly autoJoin: AutoJoin | null;
}

export interface ChangeSsoInput {
  readonly names: readonly string[];
  readonly isRequired: boolean;
  readonly issuers: readonly WantedIssuer[];
  /** The person who asks. */
  readonly by: string;
}

export interface ChangedSso {
  readonly settings: SsoSettings;
  readonly issuers: readonly SsoIssuer[];
  /** What may let more people in than before: issuers with a new address or client, and passkeys where an issuer was required. */
  readonly opened: readonly string[];
}

/**
 * Replaces the settings of single sign-on of a workspace. An omitted issuer is removed, which ends the sessions that it opened. An
 * issuer whose address, client or secret changes must be tested again. Each owner gets a mail about a change that lets more people in.
 * Refuses, in this order: an issuer that the workspace does not have; a new issuer, or one at another address, without a secret,
 * because a secret must not be sent to another address; a required sign-in that was not tested; more names than a workspace may ever
 * have had.
 */
export const changeSso: Command<ChangeSsoInput, ChangedSso> = {
  name: "change-sso",
  needs: (world) => [ssoSettings.ref(world.platformId), liveIssuers, activeOwners],
  decide(world, { names, isRequired, issuers, by }) {
    const live = new Map(world.all(liveIssuers).map((issuer) => [issuer.id, issuer]));
    const rows = issuers.map((wanted, index) => nextIssuer(world, wanted, { live, index, by }));
    if (isRequired && rows.every(({ testedAt }) => testedAt === null))
      throw new Refusal(
        "CONFLICT",
        { field: "isRequired" },
        "No issuer has been tested since it was set: make a test sign-in before you require it.",
      );
    const old = world.find(ssoSettings.ref(world.platformId));
    const claimed = old?.claimedNames ?? [];
    const fresh = names.filter((name) => !claimed.includes(name));
    if (claimed.length + fresh.length > MOST_CLAIMED_NAMES)
      throw new Refusal(
        "CONFLICT",
        { field: "names" },
        `This workspace has had ${claimed.length} names, and may have had ${MOST_CLAIMED_NAMES} at most: use one of them again.`,
      );

    for (const name of fresh) world.claimHandle(ssoNameHandle(name));
    const kept = new Set(rows.map(({ id }) => id));
    for (const gone of live.values()) {
      if (!kept.has(gone.id))
        world.put(ssoIssuers, { ...gone, updatedAt: world.at, deletedAt: world.at });
    }
    const put = rows.map((row) => world.put(ssoIssuers, row));
    const settings = world.put(ssoSettings, {
      id: world.platformId,
      names,
      claimedNames: [...claimed, ...fresh],
      isRequired,
      createdAt: old?.createdAt ?? world.at,
      updatedAt: world.at,
    });
    const opened = [
      ...put.filter((row) => isOpenedBy(row, live.get(row.id))).map(({ issuer }) => issuer),
      ...(old?.isRequired === true && !isRequired ? ["passkeys"] : []),
    ];
    if (opened.length > 0) mailOwners(world, "ISSUER_SET", by);
    return { settings, issuers: put, opened };
  },
};

function isOpenedBy(next: SsoIssuer, old: SsoIssuer | undefined): boolean {
  return next.issuer !== old?.issuer || next.clientId !== old.clientId;
}

/** Mails each owner that the person has set an issuer, or asks to. The command's `needs` must list `activeOwners`. */
export function mailOwners(world: World, about: "ISSUER_ASKED" | "ISSUER_SET", by: string): void {
  const owners = world.all(activeOwners).map(({ id }) => id);
  mailPeople(world, owners, { about, personId: by });
}

function nextIssuer(
  world: World,
  { id, name, issuer, clientId, secret, autoJoin }: WantedIssuer,
  {
    live,
    index,
    by,
  }: {
    readonly live: ReadonlyMap<string, SsoIssuer>;
    readonly index: number;
    readonly by: string;
  },
): SsoIssuer {
  const old = id === undefined ? undefined : live.get(id);
  if (id !== undefined && old === undefined)
    throw invalidField(`issuers.${index}.id`, "must be an issuer of the workspace");
  const sealed = secret ?? (old?.issuer === issuer ? secretOf(old) : undefined);
  if (sealed === undefined)
    throw invalidField(
      `issuers.${index}.clientSecret`,
      old === undefined
        ? "is needed for a new issuer"
        : "is needed again where the address of the issuer changes",
    );
  const isSameClient = old?.issuer === issuer && old.clientId === clientId;
  return {
    id: old?.id ?? world.newId(),
    name,
    issuer,
    clientId,
    sealId: sealed.sealId,
    clientSecretSealed: sealed.sealed,
    autoJoin,
    testedAt: isSameClient && secret === undefined ? old.testedAt : null,
    ...(isSameClient ? { setBy: old.setBy, setAt: old.setAt } : { setBy: by, setAt: world.at }),
    createdAt: old?.createdAt ?? world.at,
    updatedAt: world.at,
    deletedAt: null,
  };
}

function secretOf({ sealId, clientSecretSealed }: SsoIssuer): SealedClientSecret {
  return { sealId, sealed: clientSecretSealed };
}
