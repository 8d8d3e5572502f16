import Type from "typebox";
import type { ListedSession } from "../../domain/people/sessions/person-session.sql.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

export const PersonSessionSchema = Type.Object(
  {
    id: Type.String({ description: "`PersonSession:<uuid>`" }),
    address: Type.String(),
    userAgent: Type.String(),
    createdAt: DateTimeSchema,
    lastActAt: DateTimeSchema,
    expiresAt: DateTimeSchema,
    isCurrent: Type.Boolean({ description: "The session of this call." }),
  },
  { $id: "PersonSession" },
);

export const SessionsSchema = Type.Object({ data: Type.Array(PersonSessionSchema) });

export function sessionsJson(sessions: readonly ListedSession[], currentId: string): string {
  const data = sessions.map(({ session, lastActAt }) => ({
    id: toWireId("PersonSession", session.id),
    address: session.address,
    userAgent: session.userAgent,
    createdAt: toIso(session.createdAt),
    lastActAt: toIso(Math.max(session.createdAt, lastActAt ?? 0)),
    expiresAt: toIso(session.expiresAt),
    isCurrent: session.id === currentId,
  }));
  return JSON.stringify({ data });
}

export const sessionsExample = {
  data: [
    {
      id: "PersonSession:019a4f00-0000-7000-8000-000000000025",
      address: "203.0.113.7",
      userAgent: "Mozilla/5.0",
      createdAt: "2026-11-21T09:00:00.000Z",
      lastActAt: "2026-11-21T10:00:00.000Z",
      expiresAt: "2026-11-21T21:00:00.000Z",
      isCurrent: true,
    },
  ],
};
