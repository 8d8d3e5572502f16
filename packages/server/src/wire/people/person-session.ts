import Type from "typebox";
import type { ListedSession } from "../../domain/people/sessions/person-session.sql.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const personSession = wireObject("PersonSession", ({ of }: Kit<ListedSession, string>) => ({
  id: of.id("PersonSession", {
    from: ({ session }) => session.id,
    description: "`PersonSession:<uuid>`",
    example: 25,
  }),
  address: of.text({ from: ({ session }) => session.address, example: "203.0.113.7" }),
  userAgent: of.text({ from: ({ session }) => session.userAgent, example: "Mozilla/5.0" }),
  createdAt: of.time({
    from: ({ session }) => session.createdAt,
    example: "2026-11-21T09:00:00.000Z",
  }),
  lastActAt: of.time({
    from: ({ session, lastActAt }) => Math.max(session.createdAt, lastActAt ?? 0),
    example: "2026-11-21T10:00:00.000Z",
  }),
  expiresAt: of.time({
    from: ({ session }) => session.expiresAt,
    example: "2026-11-21T21:00:00.000Z",
  }),
  isCurrent: of.boolean({
    from: ({ session }, currentId) => session.id === currentId,
    description: "The session of this call.",
    example: true,
  }),
}));

export const SessionsSchema = Type.Object({ data: Type.Array(personSession.schema) });
export const sessionsExample = { data: [personSession.example] };

export function sessionsJson(sessions: readonly ListedSession[], currentId: string): string {
  const data = sessions.map((session) => personSession.json(session, currentId));
  return `{"data":[${data.join(",")}]}`;
}
