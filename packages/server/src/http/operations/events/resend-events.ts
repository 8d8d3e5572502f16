import Type from "typebox";
import {
  countResent,
  type ResendMatch,
  takingEndpoints,
} from "../../../domain/events/resends/event-resend.sql.ts";
import {
  MOST_RESENT_EVENTS,
  type ResendSelection,
} from "../../../domain/events/resends/event-resend.ts";
import {
  startEventResend as command,
  type StartEventResendInput,
} from "../../../domain/events/resends/start-event-resend.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import {
  eventResendExample,
  OrderedResendSchema,
  orderedResendJson,
} from "../../../wire/events/event-resend.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitFound } from "../../request/submit-found.ts";
import {
  filterFaults,
  type ResendFilter,
  ResendFilterSchema,
  selectionOf,
} from "./event-filter.ts";
import { endpointField, endpointOf } from "./resend-event.ts";
import { deafEndpoint, refuseUnknownEndpoint } from "./resent-deliveries.ts";

export const resendEvents = defineOperation({
  id: "resendEvents",
  method: "POST",
  path: "/events/resend",
  access: "MANAGE",
  capability: "deliveries.resend-many",
  opensPersonalData: true,
  tag: "Events",
  summary: "Resend events",
  description:
    "An order, carried out in the background: the oldest event first, in order per resource, at most 100 a second to an endpoint, and " +
    "after what is due there anyway. It selects events that have happened by now, at most 100,000. With `failed` an event that the " +
    "endpoint takes meanwhile is passed over. TEST events and questions are never among them. Without `endpointId` it goes to each " +
    "endpoint that gets events of the type. Refused with 409 while four orders of the platform are RUNNING.",
  body: Type.Object({
    filter: ResendFilterSchema,
    endpointId: endpointField,
    dryRun: Type.Optional(
      Type.Boolean({ description: "Answers what the order would do, and orders nothing." }),
    ),
  }),
  requestExample: { filter: { failed: true, since: "2026-11-20T00:00:00Z" }, dryRun: false },
  answers: {
    202: {
      description: "The order, or what it would do.",
      schema: OrderedResendSchema,
      example: { ...eventResendExample, sent: 0, failed: 0, dryRun: false },
    },
  },
  refusals: ["INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_FOUND", "WEBHOOK_ENDPOINT_NOT_SET", "CONFLICT"],
  judge: judgeFilter,
  async handle({ principal, body, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const { filter, dryRun = false } = body;
    const endpointId = endpointOf(platformId, body.endpointId);
    return submitFound(engine, principal, {
      command,
      find: async () => ({
        ...(await found(reads, platformId, { filter, endpointId })),
        isDryRun: dryRun,
      }),
      toAnswer: (resend) => ({ status: 202, body: orderedResendJson(platformId, resend, dryRun) }),
      idempotency,
    });
  },
});

function judgeFilter({ filter }: JsonObject): Judgement<undefined> {
  const errors = filterFaults(filter);
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

interface Wish {
  readonly filter: ResendFilter;
  readonly endpointId: string | undefined;
}

async function found(
  reads: Reads,
  platformId: string,
  { filter, endpointId }: Wish,
): Promise<Omit<StartEventResendInput, "isDryRun">> {
  const endpointIds = await endpointsOf(reads, platformId, endpointId);
  const selection = await selectionOf(reads, platformId, filter);
  const endpoints: ResendMatch[] = [];
  for (const id of endpointIds) {
    endpoints.push(await matchOf(reads, platformId, { endpointId: id, selection }));
  }
  return { filter, selection, endpoints };
}

async function endpointsOf(
  reads: Reads,
  platformId: string,
  endpointId: string | undefined,
): Promise<readonly string[]> {
  const takers = await takingEndpoints(reads, platformId);
  if (endpointId === undefined) {
    if (takers.length > 0) return takers;
    throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET");
  }
  if (takers.includes(endpointId)) return [endpointId];
  await refuseUnknownEndpoint(reads, platformId, endpointId);
  throw deafEndpoint();
}

async function matchOf(
  reads: Reads,
  platformId: string,
  wish: { readonly endpointId: string; readonly selection: ResendSelection },
): Promise<ResendMatch> {
  const match = await countResent(reads, platformId, wish);
  if (!match.isTooMany) return match;
  const most = MOST_RESENT_EVENTS.toLocaleString("en");
  throw invalidField(
    "filter",
    `selects more than ${most} events; narrow it by since, until or type`,
  );
}
