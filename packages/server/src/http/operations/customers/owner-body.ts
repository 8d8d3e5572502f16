/** The fields of a beneficial owner in a request, and their conversion to a row. */
import Type, { type Static } from "typebox";
import {
  type BeneficialOwner,
  birthDateFaults,
  type OwnerPersonalInfo,
} from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { plainPhoneNumber } from "../../../domain/customers/customer-fields.ts";
import { isJsonObject, type JsonObject, textOrUndefined } from "../../../std/json.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import {
  OwnerPersonalInfoSchema,
  OwnershipSchema,
  RolesSchema,
} from "../../../wire/customers/beneficial-owner.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import { faultsByPlatformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { addressOf } from "./customer-body.ts";

const PersonalInfoChangesSchema = Type.Partial(OwnerPersonalInfoSchema, {
  $id: "OwnerPersonalInfoChanges",
});

export const NewOwnerBody = Type.Object({
  customerId: Type.String({ description: "A business." }),
  roles: RolesSchema,
  ownershipPercentage: OwnershipSchema,
  personalInfo: OwnerPersonalInfoSchema,
});

export const OwnerChangesBody = Type.Object({
  roles: Type.Optional(RolesSchema),
  ownershipPercentage: Type.Optional(OwnershipSchema),
  personalInfo: Type.Optional(PersonalInfoChangesSchema),
});

/** Reports a birth date in the future together with other faults. The command decides by the platform's date. */
export function judgeOwner(
  { personalInfo }: JsonObject,
  surroundings: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  const sent = isJsonObject(personalInfo) ? personalInfo : {};
  const birthDate = textOrUndefined(sent.birthDate);
  return {
    ...judgementOf([]),
    furtherFaults: () =>
      faultsByPlatformTime(surroundings, (at) => birthDateFaults({ birthDate }, at)),
  };
}

/** The roles without duplicates. */
export function rolesOf(roles: Static<typeof RolesSchema>): BeneficialOwner["roles"] {
  return [...new Set(roles)];
}

const PERSONAL_FIELDS = Object.keys(
  OwnerPersonalInfoSchema.properties,
) as readonly (keyof OwnerPersonalInfo)[];

function memberOf(
  sent: Static<typeof PersonalInfoChangesSchema>,
  name: keyof OwnerPersonalInfo,
): unknown {
  if (name === "address" && sent.address !== undefined) return addressOf(sent.address);
  if (name === "phoneNumber" && sent.phoneNumber !== undefined) {
    return plainPhoneNumber(sent.phoneNumber);
  }
  return sent[name];
}

/** The known members that were sent, in a fixed order; an address is sent as a whole. */
export function personalInfoOf<Sent extends Static<typeof PersonalInfoChangesSchema>>(
  sent: Sent,
): Pick<Sent, keyof OwnerPersonalInfo & keyof Sent> {
  const known = PERSONAL_FIELDS.filter((name) => sent[name] !== undefined).map((name) => [
    name,
    memberOf(sent, name),
  ]);
  return Object.fromEntries(known) as Pick<Sent, keyof OwnerPersonalInfo & keyof Sent>;
}
