/** Answers that show a session, and answers that open one. */
import { findPasskeysOf } from "../../../../domain/people/person.sql.ts";
import { rolesOn } from "../../../../domain/people/person.ts";
import { listSsoIssuers } from "../../../../domain/people/single-sign-on/sso.sql.ts";
import {
  findWorkspace,
  type OwnPlatform,
} from "../../../../domain/people/workspaces/workspace.sql.ts";
import { toWorkspaceId } from "../../../../domain/people/workspaces/workspace.ts";
import { toPlatformConfigId } from "../../../../domain/platform.ts";
import { findClocksAhead } from "../../../../domain/platforms/sandbox/clock.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { toIso } from "../../../../std/clock.ts";
import { toWireId } from "../../../../std/ids.ts";
import { wirePerson } from "../../../../wire/people/person.ts";
import type { HeadedAnswer } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { capabilitiesAt, PROOF_COUNTS_MS } from "../../console-entrance.ts";
import { csrfOf, type SessionKey, setCookie } from "../../session-cookie.ts";
import type { LiveSession } from "../../sessions.ts";

type Tools = Pick<Services, "reads" | "clock" | "people">;

export async function sessionJson({ reads, clock }: Tools, live: LiveSession): Promise<string> {
  const { key, session, person, platforms, idleEndsAt, endsAt } = live;
  const { issuerId } = session;
  const [workspace, passkeys, issuers, clocks] = await Promise.all([
    findWorkspace(reads, key.workspaceId),
    findPasskeysOf(reads, key.workspaceId, [person.id]),
    issuerId === null ? [] : listSsoIssuers(reads, key.workspaceId),
    findClocksAhead(reads, key.workspaceId),
  ]);
  const issuer = issuers.find(({ id }) => id === issuerId);
  const now = clock.now();
  const slugs = slugsOf(platforms);
  const shown = wirePerson.json(person, { passkeys, lastSeenAt: live.lastUse.actAt });
  const rest = JSON.stringify({
    workspace: { id: toWorkspaceId(key.workspaceId), name: workspace?.name ?? "" },
    platforms: platforms
      .filter(({ id }) => rolesOn(person, id).length > 0)
      .map((platform) => ({
        id: toPlatformConfigId(platform.id),
        slug: slugs.get(platform.id),
        name: platform.name,
        environment: platform.environment,
        roles: rolesOn(person, platform.id),
        capabilities: [...capabilitiesAt(live, platform, now)],
        clockAheadMs: clocks.get(platform.id),
      })),
    capabilities: [...capabilitiesAt(live, undefined, now)],
    csrf: csrfOf(key),
    idleEndsAt: toIso(idleEndsAt),
    endsAt: toIso(endsAt),
    stepUpUntil: toIso(session.provenAt + PROOF_COUNTS_MS),
    ...(issuer === undefined
      ? {}
      : { sso: { issuerId: toWireId("SsoIssuer", issuer.id), name: issuer.name } }),
  });
  return `{"person":${shown},${rest.slice(1)}`;
}

/** The first platform with a name gets the slug without a number. Platforms are only added, so a slug stays the same. */
export function slugsOf(platforms: readonly OwnPlatform[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    platforms.map(({ id, name }) => {
      const plain =
        name
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "-")
          .replaceAll(/^-|-$/g, "") || "platform";
      let slug = plain;
      for (let count = 2; taken.has(slug); count += 1) slug = `${plain}-${count}`;
      taken.add(slug);
      return [id, slug];
    }),
  );
}

/** Shows the session that was just opened, and sets its cookie. */
export async function openedAnswer(tools: Tools, key: SessionKey): Promise<HeadedAnswer> {
  const { people } = tools;
  people.sessions.forget();
  const live = await people.sessions.find(key);
  if (live === undefined) throw new Refusal("UNAUTHORIZED");
  const body = await sessionJson(tools, live);
  return { status: 200, body, notes: ["Set-Cookie", setCookie(people.place(), key)] };
}
