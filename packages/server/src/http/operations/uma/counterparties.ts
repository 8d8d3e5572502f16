import Type from "typebox";
import { inLowerCase, isAddressDomain } from "../../../domain/customers/uma-address.ts";
import { findCounts, NO_COUNTS } from "../../../domain/uma/exchanges/uma-exchange.sql.ts";
import {
  acceptKey,
  setCounterparty as setCounterpartyCommand,
} from "../../../domain/uma/policy/set-counterparty.ts";
import { findCounterpartyOf, findRoom } from "../../../domain/uma/policy/uma-counterparty.sql.ts";
import {
  type CounterpartyRoom,
  counterpartyStatuses,
  keyStates,
  listUmaCounterparties as listCounterparties,
} from "../../../domain/uma/policy/uma-counterparty.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import {
  changedKeyExample,
  counterpartyStatusField,
  type ListedCounterparty,
  overridesSchema,
  wireUmaCounterparty,
} from "../../../wire/uma/uma-counterparty.ts";
import { defineNoun, listAll, shown } from "../../request/noun.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import { byEnum, byText } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const counterparties = defineNoun({
  path: "/uma/counterparties",
  tag: "UMA counterparties",
  capability: "settings.read",
  ...wireUmaCounterparty,
});

const LONGEST_DOMAIN = 260;

const params = Type.Object({
  domain: Type.String({
    maxLength: LONGEST_DOMAIN,
    description: "The part of its addresses after `@`.",
    examples: ["vasp.example"],
  }),
});

const listUmaCounterparties = listAll({
  ...counterparties,
  id: "listUmaCounterparties",
  summary: "List UMA counterparties",
  description:
    "The institutions whose messages the platform has had, and those that it has set something about; at most 10,000. Beyond them the one of `DEFAULT` that " +
    "was seen the longest ago is forgotten.",
  filters: {
    status: byEnum(counterpartyStatuses, "t.status = ?::text"),
    keyState: byEnum(keyStates, "t.key_state = ?::text"),
    domain: byText(
      Type.Optional(
        Type.String({ minLength: 1, maxLength: LONGEST_DOMAIN, examples: ["bank.example"] }),
      ),
      "t.domain = lower(?::text)",
    ),
  },
  async list(reads, query) {
    const page = await listCounterparties(reads, query);
    const domains = page.rows.map(({ domain }) => domain);
    const counts = await findCounts(reads, query.platformId, domains);
    const rows: readonly ListedCounterparty[] = page.rows.map((row) => ({
      ...row,
      counts: counts.get(row.domain) ?? NO_COUNTS,
    }));
    return { ...page, rows };
  },
});

const setUmaCounterparty = defineOperation({
  id: "setUmaCounterparty",
  ...route("PUT /uma/counterparties/{domain}", "MANAGE", "settings.write"),
  tag: "UMA counterparties",
  summary: "Set a UMA counterparty",
  description:
    "Sets the status and the overrides of an institution, which may be unknown until then. It holds for new lookups and quotes within a second; a quote that was executed goes on.",
  params,
  body: Type.Object({ status: counterpartyStatusField, overrides: Type.Optional(overridesSchema) }),
  requestExample: { status: "BLOCKED" },
  answers: {
    200: shown(
      { ...counterparties, example: { ...wireUmaCounterparty.example, status: "BLOCKED" } },
      "The counterparty as it is now.",
    ),
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, params: { domain: raw }, body }, services: Services) {
    const domain = inLowerCase(raw);
    if (!isAddressDomain(domain)) throw invalidField("domain", "must be a domain name");
    const { status, overrides = {} } = body;
    const answered = await submitForCaller(services.engine, principal, {
      command: setCounterpartyCommand,
      input: { domain, status, overrides, room: await roomFor(services, principal, domain) },
      toAnswer: (row) => ({ status: 200, body: wireUmaCounterparty.json(row) }),
      idempotency: undefined,
    });
    services.umaPolicies.forget();
    return answered;
  },
});

async function roomFor(
  { reads }: Services,
  { platformId }: Principal,
  domain: string,
): Promise<CounterpartyRoom> {
  const found = await findCounterpartyOf(reads, platformId, domain);
  return found === undefined ? findRoom(reads, platformId) : { kind: "free" };
}

const acceptUmaCounterpartyKey = defineOperation({
  id: "acceptUmaCounterpartyKey",
  ...route("POST /uma/counterparties/{domain}/accept-key", "MANAGE", "settings.write"),
  tag: "UMA counterparties",
  summary: "Accept the changed key of a UMA counterparty",
  description:
    "Where keys are pinned, messages with a changed signing key are refused until it is accepted. Compare its fingerprint with the institution by another way first.",
  params,
  body: Type.Object({
    fingerprint: Type.Optional(
      Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "The key that was looked at: 409 when the counterparty has another one now.",
      }),
    ),
  }),
  bodyOptional: true,
  requestExample: { fingerprint: changedKeyExample.signingKey.fingerprint },
  answers: {
    200: shown(
      { ...counterparties, example: { ...changedKeyExample, keyState: "OK" } },
      "The counterparty, whose key is accepted.",
    ),
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params: { domain: raw }, body, idempotency }, services: Services) {
    const domain = inLowerCase(raw);
    if (!isAddressDomain(domain)) throw new Refusal("REFERENCE_NOT_FOUND");
    const answered = await submitForCaller(services.engine, principal, {
      command: acceptKey,
      input: { domain, fingerprint: body?.fingerprint },
      toAnswer: (row) => ({ status: 200, body: wireUmaCounterparty.json(row) }),
      idempotency,
    });
    services.umaPolicies.forget();
    return answered;
  },
});

export const umaCounterpartyOperations = [
  listUmaCounterparties,
  setUmaCounterparty,
  acceptUmaCounterpartyKey,
];
