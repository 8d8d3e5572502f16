/** The list of audit entries, of a platform and of a workspace. */

import Type, { type Static } from "typebox";
import { listAuditEntries } from "../../../domain/people/audit-entries/audit-entry.sql.ts";
import { uuidPattern } from "../../../std/ids.ts";
import { formedText } from "../../../validation/schema.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { wireAuditEntry } from "../../../wire/people/audit-entry.ts";
import { momentsOf, when } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { uncountedPageOf } from "../../request/noun.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const auditQuery = Type.Object({
  actorId: Type.Optional(
    formedText(
      `^(?:[A-Z][A-Za-z]{0,31}:${uuidPattern}|[a-z][a-z ]{0,30})$`,
      "must be an id, or the word of an operator",
      {
        maxLength: 100,
        description: "Who acted: the id of a person, a token or an agent.",
        examples: ["Person:019a4f00-0000-7000-8000-000000000021"],
      },
    ),
  ),
  act: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "What was done.",
      examples: ["create-token"],
    }),
  ),
  targetId: Type.Optional(
    formedText(`^[A-Z][A-Za-z]{0,31}:${uuidPattern}$`, "must be an id", {
      maxLength: 100,
      description: "The object that it was done to.",
      examples: ["Token:019a4f00-0000-7000-8000-000000000005"],
    }),
  ),
  since: dateTimeParameter("At this time or later."),
  until: dateTimeParameter("At this time or earlier."),
  ...pageParameters,
});

export const auditAnswers = {
  200: uncountedPageOf(wireAuditEntry, "Newest first. The list is not counted."),
} as const;

export function answerAudit(
  services: Services,
  call: {
    readonly operationId: string;
    readonly principal: { readonly platformId: string };
    readonly query: Static<typeof auditQuery>;
  },
) {
  const { query } = call;
  return answerPage(services, {
    ...call,
    load: ({ platformId, after, limit }) =>
      listAuditEntries(services.reads, {
        platformId,
        before: after,
        limit,
        conditions: [
          when(query.actorId?.replace(/^[A-Za-z]+:/, ""), "t.actor_id = ?::text"),
          when(query.act, "t.act = ?::text"),
          when(query.targetId, "t.target_id = ?::text"),
        ],
        moments: momentsOf(query),
      }),
    positionOf: ({ entry }) => entry.commandSeq.toString(),
    toJson: wireAuditEntry.json,
  });
}
