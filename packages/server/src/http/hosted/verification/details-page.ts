/** The page on which a customer, a person or a business, enters its details. */

import { updateCustomer } from "../../../domain/customers/update-customer.ts";
import { throughLink } from "../../../domain/verification/through-link.ts";
import { dayOf } from "../../../std/clock.ts";
import { identityFieldsOf, identityOf } from "../../operations/customers/customer-body.ts";
import type { Services } from "../../request/services.ts";
import { linkPath } from "../../request/verification-links.ts";
import type { HostedPage } from "../hosted-page.ts";
import { companyFields, personFields } from "./field-sets.ts";
import { type Filled, type FormField, readFields, type Value } from "./form-fields.ts";
import { formSheet, pristine } from "./form-sheet.ts";
import { type OpenLink, openLink, outcomeOf, runThroughLink } from "./open-link.ts";
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
  async show({ params, formToken }, services) {
    const open = await openLink(params, services);
    if ("status" in open) return open;
    return detailsSheet(open, { formToken, typed: storedIn(open), ...pristine });
  },
  async submit({ params, formToken, fields: typed }, services) {
    const open = await openLink(params, services);
    if ("status" in open) return open;
    const { values, faults } = withSsnChecked(readFields(fieldsOf(open), typed));
    if (faults.size > 0) return detailsSheet(open, { formToken, typed, faults });
    const answer = await runThroughLink(open, services, {
      command: updateThroughLink,
      input: changesOf(open, values, services),
    });
    const outcome = outcomeOf(answer);
    if (outcome.kind === "refused") return detailsSheet(open, { formToken, typed, ...outcome });
    return { seeOther: open.home };
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

function detailsSheet(
  open: OpenLink,
  form: Filled & { readonly formToken: string; readonly notice?: string | undefined },
) {
  const isBusiness = open.customer.customerType === "BUSINESS";
  return formSheet(open, {
    ...form,
    title: isBusiness ? "About the business" : "About you",
    intro: isBusiness
      ? "Write everything as it stands in the register."
      : "Write everything as it stands in your identity document.",
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
