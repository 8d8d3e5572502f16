import Type from "typebox";
import { accountNumberFault } from "../../../../domain/accounts/external/check-digits.ts";
import { addVirtualAccounts as command } from "../../../../domain/rails/funding/add-virtual-accounts.ts";
import { freeCount, knownNumbers } from "../../../../domain/rails/funding/funding.sql.ts";
import {
  MOST_VIRTUAL_ACCOUNTS_AT_ONCE,
  numberOf,
} from "../../../../domain/rails/funding/virtual-account.ts";
import type { FieldError } from "../../../../engine/refusal.ts";
import { isJsonObject, type JsonObject } from "../../../../std/json.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { virtualAccountField } from "../../../../wire/rails/virtual-account.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { requireConnectionId } from "./connection-body.ts";

/** At most so many faults are named. */
const MOST_FAULTS = 50;

export const addVirtualAccounts = defineOperation({
  id: "addVirtualAccounts",
  method: "POST",
  path: "/rails/connections/{connectionId}/virtual-accounts",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Add virtual accounts",
  description:
    "Numbers of the bank that all lead to the account of a connection with the funding mode `VIRTUAL_ACCOUNTS`. Each internal account that " +
    "payers are told of gets one of its own, and keeps it. A number that the pool has already is left as it is. IBANs are texts. A body has at " +
    "most 256 kB: send more in several calls.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    accounts: Type.Array(virtualAccountField, {
      minItems: 1,
      maxItems: MOST_VIRTUAL_ACCOUNTS_AT_ONCE,
    }),
  }),
  requestExample: { accounts: ["DE89370400440532013000"] },
  answers: {
    200: {
      description: "What became of them.",
      schema: Type.Object({
        added: Type.Integer(),
        known: Type.Integer({
          description: "Those that the pool had already, or that came twice.",
        }),
        free: Type.Integer({
          description: "Numbers of the pool that no account has; counted up to 10,000.",
        }),
      }),
      example: { added: 1, known: 0, free: 1 },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeNumbers,
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const connectionId = requireConnectionId(params.connectionId);
    const { platformId } = principal;
    const numbers = [...new Set(body.accounts.map(numberOf))];
    const known = await knownNumbers(reads, platformId, { connectionId, numbers });
    const before = await freeCount(reads, platformId, connectionId);
    return submitForCaller(engine, principal, {
      command,
      input: { connectionId, numbers, known },
      toAnswer: ({ added }) => ({
        status: 200,
        body: JSON.stringify({
          added,
          known: body.accounts.length - added,
          free: before + added,
        }),
      }),
      idempotency,
    });
  },
});

/** The check digits of each number. */
function judgeNumbers({ accounts }: JsonObject): Judgement<undefined> {
  const errors: FieldError[] = [];
  for (const [index, account] of (Array.isArray(accounts) ? accounts : []).entries()) {
    if (errors.length === MOST_FAULTS) break;
    const field = `accounts[${index}]`;
    if (typeof account === "string") {
      const message = accountNumberFault("iban", account);
      if (message !== undefined) errors.push({ field, message });
    } else if (isJsonObject(account) && typeof account.routingNumber === "string") {
      const message = accountNumberFault("routingNumber", account.routingNumber);
      if (message !== undefined) errors.push({ field: `${field}.routingNumber`, message });
    }
  }
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}
