/** Edits the customer's fields that this form shows. Only changed fields are sent. */
import type { Customer } from "@florin/client";
import { type ActSpec, type FormField, FormProblem } from "../../act/act-spec.ts";
import { t } from "../../text/messages.ts";

export function editCustomer(customer: Customer): ActSpec<"updateCustomer"> {
  const { id, customerType } = customer;
  const fields = fieldsOf(customer);
  return {
    title: t("customers.edit"),
    verb: t("act.save"),
    intro: t("customers.editIntro"),
    fields,
    toCall(values) {
      const changed = fields.filter(
        ({ name, initial }) => (values[name] ?? "").trim() !== (initial ?? ""),
      );
      // The API cannot remove these values, so an emptied field is an error.
      const emptied = changed.filter(({ name }) => (values[name] ?? "").trim() === "");
      if (emptied.length > 0)
        throw new FormProblem(
          Object.fromEntries(emptied.map(({ name }) => [name, t("customers.notRemoved")])),
        );
      const { legalName, ...own } = Object.fromEntries(
        changed.map(({ name }) => [name, (values[name] ?? "").trim()]),
      );
      const body = {
        customerType,
        ...own,
        ...(legalName === undefined ? {} : { businessInfo: { legalName } }),
      };
      return { method: "PATCH", path: ["customers", id], body: body as never };
    },
  };
}

function fieldsOf(customer: Customer): readonly FormField[] {
  const { email, phoneNumber } = customer;
  return [
    customer.customerType === "BUSINESS"
      ? {
          name: "legalName",
          field: "businessInfo.legalName",
          label: "customers.legalName",
          kind: "text",
          initial: customer.businessInfo?.legalName,
        }
      : { name: "fullName", label: "column.name", kind: "text", initial: customer.fullName },
    { name: "email", label: "customers.email", kind: "email", isOptional: true, initial: email },
    {
      name: "phoneNumber",
      label: "customers.phone",
      kind: "text",
      isOptional: true,
      initial: phoneNumber,
    },
  ];
}
