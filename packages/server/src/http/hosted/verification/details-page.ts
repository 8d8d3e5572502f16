/** The page on which a customer, a person or a business, enters its details. */

import { updateCustomer } from "../../../domain/customers/update-customer.ts";
import { throughLink } from "../../../domain/customers/verification/through-link.ts";
import { dayOf } from "../../../std/clock.ts";
import { identityFieldsOf, identityOf } from "../../operations/customers/customer-body.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import type { HostedPage } from "../hosted-page.ts";
import { companyFields, personFields } from "./field-sets.ts";
import { type FormField, readFields, type Value } from "./form-fields.ts";
import { formSheet, pristine } from "./form-sheet.ts";
import { linkBrand, type OpenLink, openLink, outcomeOf, runThroughLink } from "./open-link.ts";
import { type Filled, MORE_COUNTRIES } from "./render-fields.ts";
import {
  addressFrom,
  changesBelow,
  textOf,
  typedFrom,
  valuesBelow,
  withSsnChecked,
} from "./typed-values.ts";

const updateThroughLink = throughLink(updateCustomer);

export const detailsPage: HostedPage<Services> = {
  id: "verificationDetailsPage",
  path: `${linkPath}/details`,
  brandOf: linkBrand,
  async show(request, services) {
    const open = await openLink(request, services);
    if ("status" in open) return open;
    return detailsSheet(open, { typed: storedIn(open), ...pristine });
  },
  async submit(submission, services) {
    const { fields: typed, language } = submission;
    const open = await openLink(submission, services);
    if ("status" in open) return open;
    if (typed.has(MORE_COUNTRIES)) return detailsSheet(open, { typed, ...pristine });
    const { values, faults } = withSsnChecked(
      readFields(fieldsOf(open), typed, language),
      language,
    );
    if (faults.size > 0) return detailsSheet(open, { typed, faults });
    const answer = await runThroughLink(open, services, {
      command: updateThroughLink,
      input: changesOf(open, values, services),
    });
    const outcome = outcomeOf(answer, language);
    if (outcome.kind === "refused") return detailsSheet(open, { typed, ...outcome });
    return { seeOther: open.to() };
  },
};

function fieldsOf({ customer, at }: OpenLink): readonly FormField[] {
  const today = dayOf(at);
  return customer.customerType === "BUSINESS"
    ? companyFields({ today })
    : personFields({ today, hasIdentifier: customer.identitySealed !== null });
}

function storedIn({ customer }: OpenLink): ReadonlyMap<string, string> {
  const { fullName, birthDate, nationality, address, businessInfo, profile } = customer;
  const { idType } = profile;
  return typedFrom({ fullName, birthDate, nationality, address, businessInfo, idType });
}

function detailsSheet(open: OpenLink, form: Filled & { readonly notice?: string | undefined }) {
  const { language } = open.request;
  const isBusiness = open.customer.customerType === "BUSINESS";
  return formSheet(open, {
    ...form,
    title: language.text(isBusiness ? "aboutBusiness" : "aboutYou"),
    intro: language.text(isBusiness ? "asInRegister" : "asInYourPapers"),
    step: "details",
    fields: fieldsOf(open),
  });
}

function changesOf(open: OpenLink, values: ReadonlyMap<string, Value>, { sealer }: Services) {
  const { platformId, customer } = open;
  const { id: customerId, customerType, platformCustomerId } = customer;
  const identifier = textOf(values, "identifier");
  const identity =
    identifier === undefined
      ? {}
      : identityFieldsOf(
          identifier,
          sealer.seal(identifier, identityOf(platformId, platformCustomerId)),
        );
  const { fullName, birthDate, nationality, idType } = valuesBelow(values, "");
  const personal = customerType === "BUSINESS" ? {} : { fullName, birthDate, nationality };
  return {
    customerId,
    customerType,
    fields: { address: addressFrom(values), ...(personal as object), ...identity },
    profile: idType === undefined ? {} : ({ idType } as object),
    businessInfo: changesBelow(fieldsOf(open), values, "businessInfo."),
  };
}
