/** A verification as the people who decide it see it: beside what the API answers, whose case it is and how it was decided. */
import Type from "typebox";
import { customerTypes, toCustomerId } from "../../domain/customers/customer.ts";
import type {
  SubmittedData,
  VerificationSubmission,
} from "../../domain/customers/verification/submission.ts";
import type { VerificationCaseRow } from "../../domain/customers/verification/take-verification.ts";
import {
  rejectionReasons,
  toVerificationId,
  type Verification,
  type VerificationError,
  verificationStatuses,
} from "../../domain/customers/verification/verification.ts";
import { toPersonId } from "../../domain/people/person.ts";
import { toIso } from "../../std/clock.ts";
import { AddressSchema, DateTimeSchema, optional } from "../fields.ts";
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

const submissionField = (description: string) =>
  Type.Optional(Type.Object({ at: DateTimeSchema, data: SubmittedDataSchema }, { description }));

export const VerificationCaseSchema = Type.Object(
  {
    id: Type.String({ description: "`Verification:<uuid>`" }),
    customerId: Type.String(),
    customerName: Type.String({ description: "Empty when it is not known." }),
    customerType: Type.Enum([...customerTypes]),
    verificationStatus: Type.Enum([...verificationStatuses]),
    takenBy: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String(), until: DateTimeSchema },
        { description: "The person who alone may decide it until then." },
      ),
    ),
    decision: Type.Optional(
      Type.Object(
        {
          by: Type.String({ description: "A person, a token, or the name that an operator gave." }),
          reasonCode: Type.Optional(Type.Enum([...rejectionReasons])),
          note: Type.Optional(Type.String()),
        },
        { description: "Of a person; a check that the program decided has none." },
      ),
    ),
    unmet: Type.Optional(
      Type.Array(VerificationErrorSchema, {
        description:
          "The requirements that the customer's data do not meet now. Of one case alone.",
      }),
    ),
    submitted: submissionField(
      "What the customer said at the last submission of this case. Of one case alone.",
    ),
    submittedBefore: submissionField("What the customer said at the submission before that one."),
    current: Type.Optional(
      Type.Object(
        { data: SubmittedDataSchema },
        { description: "What the customer says now, where no submission of this case is kept." },
      ),
    ),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "VerificationCase" },
);

export interface CaseMore {
  /** In platform time. */
  readonly at: number;
  readonly unmet?: readonly VerificationError[];
  /** The newest first. */
  readonly submissions?: readonly VerificationSubmission[];
  readonly current?: SubmittedData;
}

export function verificationCaseJson(row: VerificationCaseRow, more: CaseMore): string {
  return JSON.stringify(toWireCase(row, more));
}

export function toWireCase(
  { verification, customerName, customerType }: VerificationCaseRow,
  { at, unmet, current, submissions: [submitted, before] = [] }: CaseMore,
) {
  const { decidedBy, decisionNote, decisionReason } = verification;
  return {
    id: toVerificationId(verification.id),
    customerId: toCustomerId(verification.customerId),
    customerName,
    customerType,
    verificationStatus: verification.status,
    ...takenOf(verification, at),
    ...(decidedBy === null
      ? {}
      : {
          decision: {
            by: decidedBy,
            ...optional("reasonCode", decisionReason),
            ...optional("note", decisionNote),
          },
        }),
    ...(unmet === undefined ? {} : { unmet }),
    ...(submitted === undefined ? {} : { submitted: toWireSubmission(submitted) }),
    ...(before === undefined ? {} : { submittedBefore: toWireSubmission(before) }),
    ...(current === undefined ? {} : { current: { data: toWireData(current) } }),
    createdAt: toIso(verification.createdAt),
    updatedAt: toIso(verification.updatedAt),
  };
}

function toWireSubmission({ createdAt, said }: VerificationSubmission) {
  return { at: toIso(createdAt), data: toWireData(said) };
}

function toWireData({ profile, owners, ...facts }: SubmittedData) {
  const told = Object.entries(facts).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(told), ...profile, owners };
}

/** Nothing when the lease has run out. */
function takenOf({ takenBy, takenByName, takenUntil }: Verification, at: number) {
  if (takenBy === null || takenUntil === null || takenUntil <= at) return {};
  return {
    takenBy: { id: toPersonId(takenBy), name: takenByName ?? "", until: toIso(takenUntil) },
  };
}

export const verificationCaseExample = {
  id: "Verification:019a4f00-0000-7000-8000-000000000012",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
  customerName: "Ana Ruiz",
  customerType: "INDIVIDUAL",
  verificationStatus: "PENDING_MANUAL_REVIEW",
  takenBy: {
    id: "Person:019a4f00-0000-7000-8000-000000000020",
    name: "Ada Lovelace",
    until: "2026-11-21T09:15:00.000Z",
  },
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:05:00.000Z",
};
