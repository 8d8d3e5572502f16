/** A verification as the people who decide it see it: in addition to the API's members, whose case it is and how it was decided. */
import Type from "typebox";
import { customerTypes } from "../../domain/customers/customer.ts";
import type {
  SubmittedData,
  VerificationSubmission,
} from "../../domain/customers/verification/submission.ts";
import type { VerificationCaseRow } from "../../domain/customers/verification/take-verification.ts";
import {
  rejectionReasons,
  type Verification,
  type VerificationError,
  verificationStatuses,
} from "../../domain/customers/verification/verification.ts";
import { AddressSchema, optional } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { OwnerPersonalInfoSchema, OwnershipSchema, RolesSchema } from "./beneficial-owner.ts";
import { BusinessInfoSchema, individualProperties } from "./customer-field-schemas.ts";
import { VerificationErrorSchema } from "./verification.ts";

const SubmittedDataSchema = Type.Object(
  {
    email: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String()),
    address: Type.Optional(AddressSchema),
    fullName: Type.Optional(Type.String()),
    birthDate: Type.Optional(Type.String()),
    nationality: Type.Optional(Type.String()),
    ...individualProperties,
    businessInfo: Type.Optional(BusinessInfoSchema),
    owners: Type.Array(
      Type.Object({
        id: Type.String(),
        roles: RolesSchema,
        ownershipPercentage: OwnershipSchema,
        personalInfo: Type.Object({
          ...Type.Omit(OwnerPersonalInfoSchema, ["identifier"]).properties,
          identifierMasked: Type.String(),
        }),
      }),
      { description: "Of a business, oldest first." },
    ),
  },
  { $id: "SubmittedData" },
);

export interface CaseMore {
  /** In platform time. */
  readonly at: number;
  readonly unmet?: readonly VerificationError[];
  /** Newest first. */
  readonly submissions?: readonly VerificationSubmission[];
  readonly current?: SubmittedData;
}

const taken = wireObject(
  { description: "The person who alone may decide it until then." },
  ({ of }: Kit<Verification>) => ({
    id: of.id("Person", { from: ({ takenBy }) => takenBy ?? "", example: 20 }),
    name: of.text({ from: ({ takenByName }) => takenByName ?? "", example: "Ada Lovelace" }),
    until: of.time({
      from: ({ takenUntil }) => takenUntil ?? 0,
      example: "2026-11-21T09:15:00.000Z",
    }),
  }),
);

const DecisionSchema = Type.Object(
  {
    by: Type.String({ description: "A person, a token, or the name that an operator gave." }),
    reasonCode: Type.Optional(Type.Enum([...rejectionReasons])),
    note: Type.Optional(Type.String()),
  },
  { description: "Of a person; a check that the program decided has none." },
);

const submission = wireObject({}, ({ of }: Kit<VerificationSubmission>) => ({
  at: of.time({ from: "createdAt" }),
  data: of.json(SubmittedDataSchema, { from: ({ said }) => toWireData(said) }),
}));

const CurrentSchema = Type.Object(
  { data: SubmittedDataSchema },
  { description: "What the customer says now, where no submission of this case is kept." },
);

export const wireVerificationCase = wireObject(
  "VerificationCase",
  ({ of, maybe }: Kit<VerificationCaseRow, CaseMore>) => ({
    id: of.id("Verification", {
      from: ({ verification }) => verification.id,
      description: "`Verification:<uuid>`",
      example: 12,
    }),
    customerId: of.id("Customer", {
      from: ({ verification }) => verification.customerId,
      example: 10,
    }),
    customerName: of.text({ description: "Empty when it is not known.", example: "Ana Ruiz" }),
    customerType: of.enum(customerTypes, { example: "INDIVIDUAL" }),
    verificationStatus: of.enum(verificationStatuses, {
      from: ({ verification }) => verification.status,
      example: "PENDING_MANUAL_REVIEW",
    }),
    takenBy: maybe.object(taken, {
      from: ({ verification }, { at }) =>
        (verification.takenUntil ?? 0) <= at ? null : verification,
      example: taken.example,
    }),
    decision: maybe.json(DecisionSchema, { from: decisionOf }),
    unmet: maybe.json(Type.Array(VerificationErrorSchema), {
      from: (_, { unmet }) => unmet,
      description: "The requirements that the customer's data do not meet now. Of one case alone.",
    }),
    submitted: maybe.object(submission, {
      from: (_, { submissions }) => submissions?.[0],
      description: "What the customer said at the last submission of this case. Of one case alone.",
    }),
    submittedBefore: maybe.object(submission, {
      from: (_, { submissions }) => submissions?.[1],
      description: "What the customer said at the submission before that one.",
    }),
    current: maybe.json(CurrentSchema, {
      from: (_, { current }) => current && { data: toWireData(current) },
    }),
    createdAt: of.time({
      from: ({ verification }) => verification.createdAt,
      example: "2026-11-21T09:00:00.000Z",
    }),
    updatedAt: of.time({
      from: ({ verification }) => verification.updatedAt,
      example: "2026-11-21T09:05:00.000Z",
    }),
  }),
);

function decisionOf({ verification }: VerificationCaseRow) {
  const { decidedBy, decisionNote, decisionReason } = verification;
  if (decidedBy === null) return null;
  return {
    by: decidedBy,
    ...optional("reasonCode", decisionReason),
    ...optional("note", decisionNote),
  };
}

function toWireData({ profile, owners, ...facts }: SubmittedData) {
  const told = Object.entries(facts).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(told), ...profile, owners };
}
