import Type from "typebox";
import type { CounterpartyCounts } from "../../domain/uma/exchanges/uma-exchange.sql.ts";
import {
  counterpartyStatuses,
  keyStates,
  type UmaCounterparty,
} from "../../domain/uma/policy/uma-counterparty.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { overridableFields } from "./uma-policy.ts";

export const overridesSchema = Type.Object(
  {
    unregulated: Type.Optional(overridableFields.unregulated),
    certificates: Type.Optional(overridableFields.certificates),
    pinKeys: Type.Optional(overridableFields.pinKeys),
    callbackHosts: Type.Optional(overridableFields.callbackHosts),
  },
  { description: "What holds for this counterparty in place of the policy." },
);

const STATUS =
  "`DEFAULT`: the policy decides. `ALLOWED`: taken where the policy takes listed counterparties alone. `BLOCKED`: nothing is taken from it or sent to it.";

export const counterpartyStatusField = Type.Enum([...counterpartyStatuses], {
  description: STATUS,
});

export interface SigningKey {
  readonly fingerprint: string;
  readonly since: number;
  readonly previous: string | null;
}

const FINGERPRINT = "9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0";
const OTHER_FINGERPRINT = "3e744b9dc39389baf0c5a0660589b8402f3dbb49b89b3e75f2c9355852a3c677";

const wireSigningKey = wireObject("UmaSigningKey", ({ of, maybe }: Kit<SigningKey>) => ({
  fingerprint: of.text({
    description: "SHA-256 of the uncompressed point, in hexadecimal.",
    example: FINGERPRINT,
  }),
  since: of.time({ example: "2026-11-29T10:00:00.000Z" }),
  previous: maybe.text({
    description: "The key before it; the one that is still accepted while the state is `CHANGED`.",
  }),
}));

const count = (description: string) => ({ description, example: 12 });

const wireCounts = wireObject("UmaCounterpartyCounts", ({ of }: Kit<CounterpartyCounts>) => ({
  lookupsIn: of.integer(count("Lookups of it that were answered.")),
  lookupsOut: of.integer(count("Lookups that it has answered.")),
  paymentsIn: of.integer(count("Pay requests of it that got an invoice.")),
  paymentsOut: of.integer(count("Pay requests for which it gave an invoice.")),
}));

/** A counterparty as lists have it. */
export interface ListedCounterparty extends UmaCounterparty {
  readonly counts?: CounterpartyCounts;
}

export const wireUmaCounterparty = wireObject(
  "UmaCounterparty",
  ({ of, maybe }: Kit<ListedCounterparty>) => ({
    id: of.id("UmaCounterparty", { description: "`UmaCounterparty:<uuid>`", example: 81 }),
    domain: of.text({
      description: "The part of its addresses after `@`.",
      example: "vasp.example",
    }),
    status: of.enum(counterpartyStatuses, {
      description: STATUS,
      example: "DEFAULT",
    }),
    overrides: of.json(overridesSchema, { example: {} }),
    name: maybe.text({
      description: "What it calls itself in its configuration document.",
      example: "Example VASP",
    }),
    versions: of.json(Type.Array(Type.String()), {
      description: "The versions of UMA that its messages had, the last one first.",
      example: ["1.0"],
    }),
    signingKey: maybe.object(wireSigningKey, {
      from: ({ keyFingerprint, keySince, previousFingerprint }) =>
        keyFingerprint === null || keySince === null
          ? null
          : { fingerprint: keyFingerprint, since: keySince, previous: previousFingerprint },
      description: "The key that signed its last message.",
      example: wireSigningKey.example,
    }),
    keyState: of.enum(keyStates, {
      description:
        "`CHANGED`: keys are pinned, and its messages are refused until the new key is accepted. `EXPIRED`: its certificates have expired.",
      example: "OK",
    }),
    firstSeenAt: maybe.time({
      description: "Its first message whose signature held.",
      example: "2026-11-29T10:00:00.000Z",
    }),
    lastSeenAt: maybe.time({
      description: "Its last one, to the hour.",
      example: "2026-11-29T11:00:00.000Z",
    }),
    counts: maybe.object(wireCounts, {
      description:
        "In lists alone. Counted about a second later; a server that dies loses what it has not written.",
      example: wireCounts.example,
    }),
    createdAt: of.time({ example: "2026-11-29T10:00:00.000Z" }),
    updatedAt: of.time({ example: "2026-11-29T11:00:00.000Z" }),
  }),
);

export const changedKeyExample = {
  ...wireUmaCounterparty.example,
  signingKey: { ...wireSigningKey.example, previous: OTHER_FINGERPRINT },
  keyState: "CHANGED" as const,
};
