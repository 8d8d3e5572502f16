/**
 * Callbacks of connectors. Nothing in a callback is used before its signature is verified: by the connection's current or previous
 * callback secret, at most five minutes old, with an unused nonce. An unknown connection costs the same computation as a known one.
 */

import {
  type SecretName,
  sealedColumnOf,
  secretIdentity,
} from "../../../domain/rails/connections/rail-connection.ts";
import type { ConnectorAddress } from "../../../domain/rails/orders/connector.port.ts";
import type {
  RailCallbacks,
  ReadCallback,
} from "../../../domain/rails/orders/rail-callbacks.port.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import type { Clock } from "../../../std/clock.ts";
import { isUuid } from "../../../std/ids.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { readEntry } from "./connector-entries.ts";
import { readReport } from "./connector-messages.ts";
import { isSignedRequest, isTimely, readSignature } from "./rail-signature.ts";

interface RailCallbackOptions {
  /** A connection of any platform. */
  readonly find: (connectionId: string) => Promise<ConnectorAddress | undefined>;
  /** False when the connection has used the nonce before. */
  readonly useNonce: (platformId: string, connectionId: string, nonce: string) => Promise<boolean>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** Answers 0, or the seconds until this key may call again. */
  readonly take: (key: string) => number;
}

const NO_SECRET = "the secret of a connection that does not exist";
const NO_SIGNATURE = { time: 0, nonce: "", mac: Buffer.alloc(32) };
const NO_UUID = "00000000-0000-0000-0000-000000000000";

export function createRailCallbacks(options: RailCallbackOptions): RailCallbacks {
  const { find, useNonce, sealer, clock, take } = options;
  return {
    async verify({ connectionId = NO_UUID, header, path, body }) {
      const found = await find(connectionId);
      const known = found === undefined ? [] : secretsOf(sealer, found);
      const secrets = known.length === 0 ? [NO_SECRET] : known;
      const signature = readSignature(header) ?? NO_SIGNATURE;
      const request = { method: "POST", path, idempotencyKey: "", body };
      const isSigned = isSignedRequest(secrets, request, signature);
      const isSound = isSigned && isTimely(signature, clock.now()) && known.length > 0;
      if (!isSound || found === undefined) return undefined;
      const { platformId } = found;
      const isNew = await useNonce(platformId, connectionId, signature.nonce);
      return isNew ? { platformId, connectionId } : undefined;
    },
    limit: take,
    read: readCallback,
  };
}

function secretsOf(
  sealer: Sealer,
  { platformId, connection }: ConnectorAddress,
): readonly string[] {
  const names: readonly SecretName[] = ["callbackSecret", "previousCallbackSecret"];
  return names.flatMap((name) => {
    const sealed = connection[sealedColumnOf(name)];
    if (sealed === null) return [];
    const identity = secretIdentity(platformId, connection.sealId, name);
    return [sealer.open(sealed, identity).toString("utf8")];
  });
}

function readCallback(body: JsonObject | undefined): ReadCallback {
  if (body === undefined) return unsound("body", "must be a JSON object");
  const { eventId, type, payment, entry } = body;
  if (typeof eventId !== "string" || !/^[\x21-\x7e]{1,200}$/.test(eventId)) {
    return unsound("eventId", "must be 1 to 200 visible ASCII characters");
  }
  if (type === "entry.booked") {
    const read = readEntry(entry);
    if ("fault" in read) return unsound(read.fault, "is missing or not sound");
    return { ok: true, eventId, told: { kind: "entry", entry: read.entry } };
  }
  if (type !== "payment.updated") {
    return unsound("type", "must be payment.updated or entry.booked");
  }
  const id = isJsonObject(payment) ? payment.id : undefined;
  const read = readReport(payment);
  if (typeof id !== "string" || !isUuid(id) || read === undefined) {
    return unsound("payment", "must hold the id of an order and a report");
  }
  return { ok: true, eventId, told: { kind: "payment", paymentId: id, report: read.report } };
}

function unsound(field: string, message: string): ReadCallback {
  return { ok: false, error: { field, message } };
}
