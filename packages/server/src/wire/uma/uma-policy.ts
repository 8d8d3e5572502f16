import Type, { type Static } from "typebox";
import {
  callbackHostChoices,
  certificateChoices,
  counterpartyChoices,
  DEFAULT_UMA_POLICY,
  kycChoices,
  LEAST_INVOICE_SECONDS,
  LONGEST_AUTHORITY,
  MOST_AUTHORITIES,
  MOST_INVOICE_SECONDS,
  MOST_LAYERS,
  networkChoices,
  type UmaPolicy,
  type UmaPolicyRow,
  unregulatedChoices,
} from "../../domain/uma/policy/uma-policy.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";

/** The fields that a counterparty may have otherwise. */
export const overridableFields = {
  unregulated: Type.Enum([...unregulatedChoices], {
    description: "Whether institutions are taken that say they are not subject to the travel rule.",
  }),
  certificates: Type.Enum([...certificateChoices], {
    description:
      "`ANY`: the TLS of the domain vouches for its keys. `DOMAIN`: the certificates of both keys name the domain. `AUTHORITY`: and their " +
      "chains end at one of `authorities`.",
  }),
  pinKeys: Type.Boolean({
    description:
      "Whether a changed signing key is refused until `POST /uma/counterparties/{domain}/accept-key`.",
  }),
  callbackHosts: Type.Enum([...callbackHostChoices], {
    description:
      "`SAME_DOMAIN`: the URLs that an institution gives for its calls are at its domain or below it.",
  }),
} as const;

const kyc = (description: string) => Type.Enum([...kycChoices], { description });

const fields = {
  receive: Type.Boolean({ description: "Whether other institutions may pay customers here." }),
  send: Type.Boolean({
    description: "Whether customers here may pay customers of other institutions.",
  }),
  counterparties: Type.Enum([...counterpartyChoices], {
    description: "`LISTED`: only institutions whose counterparty has the status `ALLOWED`.",
  }),
  unregulated: overridableFields.unregulated,
  receiverKyc: kyc("What an institution must say of its customer before the platform pays."),
  payerKyc: kyc("What an institution must say of its customer before the platform is asked."),
  certificates: overridableFields.certificates,
  authorities: Type.Array(
    Type.String({ minLength: 1, maxLength: LONGEST_AUTHORITY, description: "PEM." }),
    { maxItems: MOST_AUTHORITIES, description: "Root certificates for `AUTHORITY`." },
  ),
  pinKeys: overridableFields.pinKeys,
  callbackHosts: overridableFields.callbackHosts,
  invoiceSeconds: Type.Integer({
    minimum: LEAST_INVOICE_SECONDS,
    maximum: MOST_INVOICE_SECONDS,
    description: "How long an invoice lives. The lock of a rate source may end it earlier.",
  }),
  layers: Type.Array(Type.String({ pattern: "^[a-z0-9.-]{1,40}$" }), {
    maxItems: MOST_LAYERS,
    uniqueItems: true,
    description:
      "The settlement layers by preference, for payments to others. One that is not named comes last.",
  }),
} as const;

const network = Type.Optional(
  Type.Enum([...networkChoices], {
    description:
      "Of a sandbox, for payments to other sandboxes of the deployment: `SIMULATED`, or by the messages of UMA (`PROTOCOL`) where both sides say so. `SIMULATED` when absent.",
  }),
);

export const umaPolicyBody = Type.Object({ ...fields, network });

export const UmaPolicySchema = Type.Object(
  { ...fields, network, updatedAt: Type.Optional(DateTimeSchema) },
  { $id: "UmaPolicy" },
);

type Shown = UmaPolicy & Partial<Pick<UmaPolicyRow, "updatedAt">>;

export function umaPolicyJson(policy: Shown, { isSandbox }: { readonly isSandbox: boolean }) {
  const { updatedAt } = policy;
  return JSON.stringify({
    receive: policy.receive,
    send: policy.send,
    counterparties: policy.counterparties,
    unregulated: policy.unregulated,
    receiverKyc: policy.receiverKyc,
    payerKyc: policy.payerKyc,
    certificates: policy.certificates,
    authorities: policy.authorities,
    pinKeys: policy.pinKeys,
    callbackHosts: policy.callbackHosts,
    invoiceSeconds: policy.invoiceSeconds,
    layers: policy.layers,
    ...(isSandbox ? { network: policy.network } : {}),
    ...optional("updatedAt", updatedAt === undefined ? null : toIso(updatedAt)),
  });
}

const { network: _, ...defaults } = DEFAULT_UMA_POLICY;

export const umaPolicyRequestExample: Static<typeof umaPolicyBody> = {
  ...defaults,
  authorities: [],
  layers: ["bank.example", "ln"],
  certificates: "DOMAIN",
  pinKeys: true,
};

export const umaPolicyExample: Static<typeof UmaPolicySchema> = {
  ...umaPolicyRequestExample,
  updatedAt: "2026-11-29T10:00:00.000Z",
};
