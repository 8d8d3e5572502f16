/** Payment instructions of connectors: the requests for them, and how the answers are read. */

import { accountNumberFault } from "../../../domain/accounts/external/check-digits.ts";
import { MOST_TOLD } from "../../../domain/rails/funding/record-funding-told.ts";
import type { ConnectorFundingOrder } from "../../../domain/rails/orders/connector.port.ts";
import { toIso } from "../../../std/clock.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { plainText } from "./connector-messages.ts";

export function fundingBody(
  order: Omit<ConnectorFundingOrder, "platformId" | "connection">,
): Buffer {
  const { id, currency, customerName, environment } = order;
  const named = { id, currency, customerName, environment, ...purposeOf(order) };
  return Buffer.from(JSON.stringify(named));
}

function purposeOf({ purpose }: Pick<ConnectorFundingOrder, "purpose">): JsonObject {
  if (purpose.kind === "ACCOUNT") return { purpose: "ACCOUNT", accountId: purpose.accountId };
  const { quoteId, amountMinor, expiresAt } = purpose;
  const amount = amountMinor.toString();
  return { purpose: "QUOTE", quoteId, amount, expiresAt: toIso(expiresAt) };
}

const MOST_MEMBERS = 20;
const MOST_TEXT = 200;

/**
 * The accounts to pay to: for each its type and those members that are texts. Members of another shape are left out, as are accounts
 * without any member left, or with wrong check digits. Undefined when no account is left.
 */
export function readFunding(body: JsonObject | undefined): readonly JsonObject[] | undefined {
  const instructions = body?.instructions;
  if (!Array.isArray(instructions) || instructions.length === 0) return undefined;
  if (instructions.length > MOST_TOLD) return undefined;
  const read = instructions.map(readInstruction).filter((each) => each !== undefined);
  return read.length === 0 ? undefined : read;
}

function readInstruction(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { accountType, ...members } = value;
  if (typeof accountType !== "string" || !/^[A-Z0-9_]{1,64}$/.test(accountType)) return undefined;
  const shown = Object.entries(members).filter(
    ([name, text]) =>
      /^[a-zA-Z]{1,40}$/.test(name) && text !== undefined && plainText(text, MOST_TEXT) === text,
  );
  const isReachable = shown.every(([name, text]) => {
    const isChecked = name === "iban" || name === "routingNumber";
    return !isChecked || accountNumberFault(name, `${text}`) === undefined;
  });
  if (shown.length === 0 || !isReachable) return undefined;
  const kept: JsonObject = Object.fromEntries(shown.slice(0, MOST_MEMBERS));
  return { accountType, ...kept };
}
