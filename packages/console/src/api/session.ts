/** The session: the signed-in person, their platforms, sign-in and sign-out. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Person } from "./own-operations.ts";
import { OWN_BASE, transportTo } from "./platform-send.ts";
import { setCsrf } from "./session-fetch.ts";

export interface SessionPlatform {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly environment: string;
  readonly roles: readonly string[];
  readonly capabilities: readonly string[];
  /** How far the clock of a sandbox is ahead of the server's. */
  readonly clockAheadMs?: number;
}

export interface Session {
  readonly person: Person;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly platforms: readonly SessionPlatform[];
  /** Capabilities on the workspace: people, policies, the audit log. */
  readonly capabilities: readonly string[];
  readonly csrf: string;
  readonly idleEndsAt: string;
  readonly endsAt: string;
  readonly stepUpUntil?: string;
  /** The identity provider that the person signed in with. */
  readonly sso?: { readonly issuerId: string; readonly name: string };
}

export const own = transportTo(OWN_BASE);

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const session = await own<Session>({ method: "GET", path: ["session"] }, { signal });
    setCsrf(session.csrf);
    return session;
  },
  retry: false,
  staleTime: 60_000,
});

/** The person who is signed in; empty until that is known. */
export function useOwnId(): string {
  return useQuery(sessionQuery).data?.person.id ?? "";
}
