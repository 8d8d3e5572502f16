/** Payment instructions of connectors: how they are asked for, and how they are read. Nothing unsound is taken. */

import { MOST_TOLD } from "../../../domain/funding/record-funding-told.ts";
import type { ConnectorFundingOrder } from "../../../domain/rail-payments/connector.port.ts";
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

/** The places to pay to: of each the type of the account and its members, which are texts. Undefined when one is not sound. */
export function readFunding(body: JsonObject | undefined): readonly JsonObject[] | undefined {
  const instructions = body?.instructions;
  if (!Array.isArray(instructions) || instructions.length === 0) return undefined;
  if (instructions.length > MOST_TOLD) return undefined;
  const read = instructions.map(readInstruction);
  return read.includes(undefined) ? undefined : read.filter((each) => each !== undefined);
}

function readInstruction(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { accountType, ...members } = value;
  if (typeof accountType !== "string" || !/^[A-Z0-9_]{1,64}$/.test(accountType)) return undefined;
  const entries = Object.entries(members);
  if (entries.length === 0 || entries.length > MOST_MEMBERS) return undefined;
  const isSound = entries.every(
    ([name, text]) => /^[a-zA-Z]{1,40}$/.test(name) && plainText(text, MOST_TEXT) === text,
  );
  return isSound ? { accountType, ...members } : undefined;
}
