/** The page on which a beneficial owner of a business is added or edited. */
import {
  type BeneficialOwner,
  type OwnerPersonalInfo,
  ownerRoles,
} from "../../../domain/beneficial-owners/beneficial-owner.ts";
import { createBeneficialOwner } from "../../../domain/beneficial-owners/create-beneficial-owner.ts";
import { updateBeneficialOwner } from "../../../domain/beneficial-owners/update-beneficial-owner.ts";
import { throughLink } from "../../../domain/verification/through-link.ts";
import type { Answered, Idempotency } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { dayOf } from "../../../std/clock.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { TOKEN_FIELD } from "../form.ts";
import type { HostedPage, Sheet } from "../hosted-page.ts";
import { ownerFields } from "./field-sets.ts";
import { type Filled, type FormField, readFields, type Value } from "./form-fields.ts";
import { formSheet, pristine } from "./form-sheet.ts";
import {
  formIdempotency,
  type OpenLink,
  openLink,
  outcomeOf,
  runThroughLink,
} from "./open-link.ts";
import {
  addressFrom,
  changesBelow,
  typedFrom,
  valuesBelow,
  withSsnChecked,
} from "./typed-values.ts";

const createThroughLink = throughLink(createBeneficialOwner);
const updateThroughLink = throughLink(updateBeneficialOwner);

/** The path segment that replaces the id of a new owner. */
export const NEW_OWNER = "new";
const INFO = "personalInfo.";

/** The link of a business and the owner in the path; undefined for a new owner. */
interface OpenOwner {
  readonly open: OpenLink;
  readonly owner: BeneficialOwner | undefined;
}

export const ownerPage: HostedPage<Services> = {
  id: "verificationOwnerPage",
  path: `${linkPath}/people/{ownerId}`,
  async show({ params, formToken }, services) {
    const at = await openOwner(params, services);
    if ("status" in at) return at;
    const typed = at.owner === undefined ? new Map<string, string>() : storedIn(at.owner);
    return ownerSheet(at, { formToken, typed, ...pristine });
  },
  async submit({ params, formToken, fields: typed }, services) {
    const at = await openOwner(params, services);
    if ("status" in at) return at;
    const { values, faults } = withSsnChecked(readFields(fieldsOf(at), typed), INFO);
    if (faults.size > 0) return ownerSheet(at, { formToken, typed, faults });
    // The digest leaves out the form token, so going back and posting again adds no second owner, which could not be
    // removed.
    const { [TOKEN_FIELD]: _, ...written } = Object.fromEntries(typed);
    const idempotency = formIdempotency(at.open, `people/${NEW_OWNER}`, written);
    const outcome = outcomeOf(await writeOwner(at, services, { values, idempotency }), "people");
    if (outcome.kind === "refused") return ownerSheet(at, { formToken, typed, ...outcome });
    return { seeOther: at.open.home };
  },
};

/** Refuses a path that names no beneficial owner of this business. */
async function openOwner(
  params: Readonly<Record<string, string>>,
  services: Services,
): Promise<OpenOwner | Sheet> {
  const open = await openLink(params, services);
  if ("status" in open) return open;
  const owner = open.owners.find(({ id }) => id === params.ownerId);
  const isKnown = owner !== undefined || params.ownerId === NEW_OWNER;
  if (!isKnown || open.customer.customerType !== "BUSINESS") throw new Refusal("NOT_FOUND");
  return { open, owner };
}

function fieldsOf({ open, owner }: OpenOwner): readonly FormField[] {
  return ownerFields({ today: dayOf(open.at), hasIdentifier: owner !== undefined });
}

function storedIn({ roles, ownershipPercentage, personalInfo }: BeneficialOwner) {
  const { identifier: _, ...shown } = personalInfo;
  return typedFrom({ roles, ownershipPercentage, personalInfo: shown });
}

function ownerSheet(
  at: OpenOwner,
  form: Filled & { readonly formToken: string; readonly notice?: string | undefined },
): Sheet {
  return formSheet(at.open, {
    ...form,
    title: at.owner === undefined ? "Add a person" : "About this person",
    intro: "Write everything as it stands in the person's identity document.",
    fields: fieldsOf(at),
  });
}

function writeOwner(
  at: OpenOwner,
  services: Services,
  read: { readonly values: ReadonlyMap<string, Value>; readonly idempotency: Idempotency },
): Promise<Answered> {
  const { open, owner } = at;
  const { values, idempotency } = read;
  const ticked = values.get("roles") as readonly string[];
  const roles = ownerRoles.filter((role) => ticked.includes(role));
  const ownershipPercentage = values.get("ownershipPercentage") as number;
  // The form requires all required members of an owner; a stored identifier may be left out.
  const personalInfo = {
    ...valuesBelow(values, INFO),
    address: addressFrom(values, INFO),
  } as unknown as OwnerPersonalInfo;
  if (owner === undefined) {
    const customerId = open.customer.id;
    const input = { customerId, roles, ownershipPercentage, personalInfo };
    return runThroughLink(open, services, { command: createThroughLink, input, idempotency });
  }
  const changes = { ...changesBelow(fieldsOf(at), values, INFO), address: personalInfo.address };
  const input = {
    ownerId: owner.id,
    roles,
    ownershipPercentage,
    personalInfo: changes as Partial<OwnerPersonalInfo>,
  };
  return runThroughLink(open, services, { command: updateThroughLink, input });
}
