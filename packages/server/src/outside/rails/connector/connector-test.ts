/** The dry run of a connection: what can be checked of a connector without moving money. */
import { connectorFeatures } from "../../../domain/rails/connections/rail-connection.ts";
import type { ConnectorCheck } from "../../../domain/rails/orders/connector.port.ts";
import type { Clock } from "../../../std/clock.ts";
import { type ConnectorCall, DESCRIBE, describedBy, type Exchanged } from "./connector-client.ts";
import { isNotReceived } from "./connector-messages.ts";

interface ConnectorTest {
  readonly clock: Clock;
  readonly environment: string;
  /** The id of a payment that does not exist. */
  readonly unknownId: string;
  /** `secret` replaces the one of the connection. */
  readonly call: (asked: ConnectorCall, secret?: string) => Promise<Exchanged>;
}

const WRONG_SECRET = "a secret that no connector has been given";

/** Runs three checks, one after the other. */
export async function testConnector(test: ConnectorTest): Promise<readonly ConnectorCheck[]> {
  const { environment, unknownId, call } = test;
  const describe = async () => {
    const described = describedBy(await call(DESCRIBE), environment);
    if (!described.ok) return { ok: false, message: described.reason };
    const { capabilities, features, settlement, leftOut } = described;
    const has = connectorFeatures.filter((name) => features?.[name] === true);
    const told =
      features === undefined
        ? "It does not say what it can do."
        : `It has ${has.join(", ") || "no further features"}.`;
    const layers = settlement.map(({ layer }) => layer).join(", ");
    const settles = layers === "" ? "" : ` It settles invoices on ${layers}.`;
    const missing = leftOut.length === 0 ? "" : ` Left out: ${leftOut.join("; ")}.`;
    return {
      ok: true,
      message: `It carries ${capabilities.length} capabilities. ${told}${settles}${missing}`,
    };
  };
  const refuse = async () => {
    const answer = await call(DESCRIBE, WRONG_SECRET);
    const isRefused =
      answer.kind === "answered" && (answer.status === 401 || answer.status === 403);
    return isRefused
      ? { ok: true, message: "A wrong signature was refused." }
      : { ok: false, message: `A wrong signature must be answered 401; ${inWords(answer)}` };
  };
  const inquire = async () => {
    const answer = await call({ method: "GET", path: `/payments/${unknownId}` });
    const isRight =
      answer.kind === "answered" &&
      answer.status === 404 &&
      answer.isSigned &&
      isNotReceived(answer.body);
    return isRight
      ? { ok: true, message: "A payment that it does not have is not_received." }
      : { ok: false, message: `It must answer a signed 404 not_received; ${inWords(answer)}` };
  };
  return [
    await timed(test.clock, "describe", describe),
    await timed(test.clock, "wrong signature", refuse),
    await timed(test.clock, "unknown payment", inquire),
  ];
}

async function timed(
  clock: Clock,
  name: string,
  check: () => Promise<{ readonly ok: boolean; readonly message: string }>,
): Promise<ConnectorCheck> {
  const startedAt = clock.now();
  const { ok, message } = await check();
  return { name, ok, message, ms: Math.max(0, clock.now() - startedAt) };
}

function inWords(answer: Exchanged): string {
  if (answer.kind === "failed") {
    return answer.outcome.kind === "failed" ? answer.outcome.message : "it did not answer.";
  }
  return `it answered ${answer.status}${answer.isSigned ? "" : ", unsigned"}.`;
}
