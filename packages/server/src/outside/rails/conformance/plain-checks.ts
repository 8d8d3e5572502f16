/** Checks that move no money: the description, the signatures of calls and answers, and unknown payments. */
import { connectorFeatures } from "../../../domain/rails/connections/rail-connection.ts";
import { isJsonObject } from "../../../std/json.ts";
import { describedBy, newStamp } from "../connector/connector-client.ts";
import { SIGNATURE_WINDOW_SECONDS } from "../connector/rail-signature.ts";
import { type Check, statusOf, unknownFault } from "./conformance.ts";

const DESCRIBE = { method: "GET", path: "/florin-rail" } as const;
const WRONG_SECRET = "a secret that no connector has been given";

export const PLAIN_CHECKS: readonly Check[] = [
  {
    name: "describe",
    async run({ call }) {
      const answer = await call(DESCRIBE);
      const environment = answer.kind === "answered" ? answer.body?.environment : undefined;
      const isKnown = environment === "SANDBOX" || environment === "PRODUCTION";
      const described = describedBy(answer, isKnown ? environment : "SANDBOX");
      return described.ok ? undefined : described.reason;
    },
  },
  {
    name: "it says what it can do",
    async run({ call }) {
      const answer = await call(DESCRIBE);
      const told = answer.kind === "answered" ? answer.body?.features : undefined;
      const isTold =
        isJsonObject(told) && connectorFeatures.every((name) => typeof told[name] === "boolean");
      return isTold
        ? undefined
        : `features must have each of ${connectorFeatures.join(", ")}, as true or false`;
    },
  },
  {
    name: "a wrong signature is refused",
    async run({ call }) {
      const answer = await call(DESCRIBE, { secrets: [WRONG_SECRET] });
      return statusOf(answer) === 401 ? undefined : `it must answer 401, not ${statusOf(answer)}`;
    },
  },
  {
    name: "an old signature is refused",
    async run({ call, options: { clock } }) {
      const { time, nonce } = newStamp(clock);
      const stamp = { nonce, time: time - SIGNATURE_WINDOW_SECONDS - 30 };
      const answer = await call({ ...DESCRIBE, stamp });
      return statusOf(answer) === 401 ? undefined : `it must answer 401, not ${statusOf(answer)}`;
    },
  },
  {
    name: "a signature is good once",
    async run({ call, options: { clock } }) {
      const stamp = newStamp(clock);
      await call({ ...DESCRIBE, stamp });
      const again = await call({ ...DESCRIBE, stamp });
      return statusOf(again) === 401 ? undefined : `it must answer 401, not ${statusOf(again)}`;
    },
  },
  {
    name: "answers are signed",
    async run({ call }) {
      const answer = await call(DESCRIBE);
      const isSigned = answer.kind === "answered" && answer.isSigned;
      return isSigned ? undefined : "its answer has no valid Florin-Rail-Signature";
    },
  },
  {
    name: "an unknown payment is not_received",
    async run({ call, newId }) {
      const answer = await call({ method: "GET", path: `/payments/${newId()}` });
      return unknownFault(answer);
    },
  },
];
