import Type from "typebox";
import { changeUmaDomain } from "../../../domain/uma/domains/change-uma-domain.ts";
import { recordRoutingCheck } from "../../../domain/uma/domains/record-routing-check.ts";
import {
  findUmaDomain,
  listUmaDomains as listDomains,
  type UmaDomain,
  umaDomainStatuses,
} from "../../../domain/uma/domains/uma-domain-row.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { fromWireId } from "../../../std/ids.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  callbackBaseField,
  claimedDomainExample,
  wireUmaDomain,
} from "../../../wire/uma/uma-domain.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import { byEnum } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller, submitFound } from "../../request/submit-for-caller.ts";
import { rateLimited } from "../../server/errors.ts";

const domains = defineNoun({
  path: "/uma/domains",
  tag: "UMA domains",
  capability: "settings.read",
  schema: wireUmaDomain.schema,
  example: wireUmaDomain.example,
  json: wireUmaDomain.json,
});

const params = Type.Object({ domainId: pathId("UmaDomain") });

const listUmaDomains = listAll({
  ...domains,
  id: "listUmaDomains",
  summary: "List UMA domains",
  description:
    "The domains that the platform has claimed and not released. `PATCH /config` claims one for a sandbox, the operator for a production platform.",
  filters: { status: byEnum(umaDomainStatuses, "t.status = ?::text") },
  list: listDomains,
});

const getUmaDomain = getOne({
  ...domains,
  id: "getUmaDomain",
  summary: "Get a UMA domain",
  param: "domainId",
  kind: "UmaDomain",
  answer: "The domain with what the last check found.",
  find: findUmaDomain,
});

const updateUmaDomain = defineOperation({
  id: "updateUmaDomain",
  ...route("PATCH /uma/domains/{domainId}", "MANAGE", "settings.write"),
  tag: "UMA domains",
  summary: "Update a UMA domain",
  params,
  body: Type.Object({ callbackBase: callbackBaseField }),
  requestExample: { callbackBase: "DOMAIN" },
  answers: {
    200: shown(
      { ...domains, example: { ...wireUmaDomain.example, callbackBase: "DOMAIN" } },
      "The domain as it is now.",
    ),
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params: { domainId }, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: changeUmaDomain,
      input: { domainId: requireDomainId(domainId), callbackBase: body.callbackBase },
      toAnswer: (domain) => ({ status: 200, body: wireUmaDomain.json(domain) }),
    }),
});

const checkUmaDomain = defineOperation({
  id: "checkUmaDomain",
  ...route("POST /uma/domains/{domainId}/check", "MANAGE", "settings.write"),
  tag: "UMA domains",
  summary: "Check the routing of a UMA domain",
  description:
    "Asks the public paths of the domain from outside, over DNS and TLS like any other institution, and looks for the proof that this " +
    "deployment has answered. The first check without faults makes the domain `ACTIVE`; from then on it is checked once a day. Takes at most 15 seconds.",
  params,
  answers: {
    200: shown(
      { ...domains, example: claimedDomainExample },
      "The domain; `lastCheck` has what was found.",
    ),
  },
  events: ["UMA_DOMAIN.UNREACHABLE", "UMA_DOMAIN.REACHABLE"],
  refusals: ["REFERENCE_NOT_FOUND", "RATE_LIMITED"],
  async handle({ principal, params: { domainId }, idempotency }, services: Services) {
    const { engine, umaRouting } = services;
    const found = await findDomain(services, principal, domainId);
    // Before the command, so that no key keeps this refusal.
    const waitSeconds = found === undefined ? 0 : umaRouting.take(principal.platformId);
    if (waitSeconds > 0) throw rateLimited(waitSeconds);
    const answered = await submitFound(engine, principal, {
      command: recordRoutingCheck,
      find: async () => {
        const id = requireDomainId(domainId);
        if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
        return { domainId: id, faults: await umaRouting.check(found.domain) };
      },
      toAnswer: (umaDomain) => ({ status: 200, body: wireUmaDomain.json(umaDomain) }),
      idempotency,
    });
    umaRouting.forget();
    return answered;
  },
});

function requireDomainId(raw: string): string {
  return requireId("UmaDomain", raw, "REFERENCE_NOT_FOUND");
}

async function findDomain(
  { reads }: Services,
  { platformId }: Principal,
  raw: string,
): Promise<UmaDomain | undefined> {
  const id = fromWireId("UmaDomain", raw);
  return id === undefined ? undefined : findUmaDomain(reads, platformId, id);
}

export const umaDomainOperations = [listUmaDomains, getUmaDomain, updateUmaDomain, checkUmaDomain];
