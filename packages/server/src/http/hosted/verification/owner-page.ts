/** The page on which a beneficial owner of a business is added or edited. */
import {
  type BeneficialOwner,
  type OwnerPersonalInfo,
  ownerRoles,
} from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { createBeneficialOwner } from "../../../domain/customers/beneficial-owners/create-beneficial-owner.ts";
import { updateBeneficialOwner } from "../../../domain/customers/beneficial-owners/update-beneficial-owner.ts";
import { throughLink } from "../../../domain/customers/verification/through-link.ts";
import type { Answered, Idempotency } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { dayOf } from "../../../std/clock.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import { TOKEN_FIELD } from "../form.ts";
import type { HostedPage, HostedRequest, Sheet } from "../hosted-page.ts";
import { plainName } from "../plain-name.ts";
import { ownerFields } from "./field-sets.ts";
import { type FormField, readFields, type Value } from "./form-fields.ts";
import { formSheet, pristine } from "./form-sheet.ts";
import {
  formIdempotency,
  linkBrand,
  type OpenLink,
  openLink,
  outcomeOf,
  runThroughLink,
} from "./open-link.ts";
import type { Filled } from "./render-fields.ts";
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
  brandOf: linkBrand,
  async show(request, services) {
    const at = await openOwner(request, services);
    if ("status" in at) return at;
    const typed = at.owner === undefined ? new Map<string, string>() : storedIn(at.owner);
    return ownerSheet(at, { typed, ...pristine });
  },
  async submit(submission, services) {
    const { fields: typed, language } = submission;
    const at = await openOwner(submission, services);
    if ("status" in at) return at;
    const read = readFields(fieldsOf(at), typed, language);
    const { values, faults } = withSsnChecked(read, language, INFO);
    if (faults.size > 0) return ownerSheet(at, { typed, faults });
    // The digest leaves out the form token, so going back and posting again adds no second owner, which could not be
    // removed.
    const { [TOKEN_FIELD]: _, ...written } = Object.fromEntries(typed);
    const idempotency = formIdempotency(at.open, `people/${NEW_OWNER}`, written);
    const answer = await writeOwner(at, services, { values, idempotency });
    const outcome = outcomeOf(answer, language, "tooManyPeople");
    if (outcome.kind === "refused") return ownerSheet(at, { typed, ...outcome });
    return { seeOther: at.open.to() };
  },
};

/** Refuses a path that names no beneficial owner of this business. */
async function openOwner(request: HostedRequest, services: Services): Promise<OpenOwner | Sheet> {
  const { params } = request;
  const open = await openLink(request, services);
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

function ownerSheet(at: OpenOwner, form: Filled & { readonly notice?: string | undefined }): Sheet {
  const { language } = at.open.request;
  return formSheet(at.open, {
    ...form,
    title: language.text(at.owner === undefined ? "addPerson" : "aboutPerson"),
    intro: language.text("asInTheirPapers"),
    step: "people",
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

export function nameOf({ personalInfo }: BeneficialOwner): string {
  return plainName(`${personalInfo.firstName} ${personalInfo.lastName}`);
}
