import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay } from "../../api/platform.ts";
import { ListPage } from "../../detail/list-page.tsx";
import { t } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { ExportButton } from "../reading/exports/export-button.tsx";
import { customerList } from "./customer-list.tsx";
import { ImportButton } from "./import/import-button.tsx";

export function CustomersPage() {
  const may = useMay("customers.write");
  return (
    <ListPage
      spec={customerList}
      place="customers"
      tools={
        <>
          {may && <ImportButton />}
          <ExportButton kind="CUSTOMERS" list={customerList} />
        </>
      }
      acts={
        may ? (
          <ActButton spec={create} act="new" weight="primary">
            {t("customers.new")}
          </ActButton>
        ) : undefined
      }
    />
  );
}

/** The minimum to create a customer; the verification asks for the rest. */
const create: ActSpec<"createCustomer"> = {
  title: t("customers.new"),
  verb: t("customers.new"),
  fields: [
    {
      name: "customerType",
      label: "column.type",
      kind: "choice",
      initial: "INDIVIDUAL",
      choices: stateChoices(["INDIVIDUAL", "BUSINESS"], "customerType"),
    },
  ],
  fieldsFor: ({ customerType }) => [
    ...(customerType === "BUSINESS"
      ? ([
          {
            name: "name",
            field: "businessInfo.legalName",
            label: "customers.legalName",
            kind: "text",
          },
          {
            name: "country",
            field: "businessInfo.country",
            label: "customers.country",
            kind: "text",
            placeholder: "US",
          },
          { name: "taxId", field: "businessInfo.taxId", label: "customers.taxId", kind: "text" },
          {
            name: "incorporatedOn",
            field: "businessInfo.incorporatedOn",
            label: "customers.incorporatedOn",
            kind: "text",
            placeholder: "2019-04-30",
          },
        ] as const)
      : ([{ name: "name", field: "fullName", label: "column.name", kind: "text" }] as const)),
    { name: "platformCustomerId", label: "column.yourId", kind: "text", isOptional: true },
    { name: "email", label: "customers.email", kind: "email", isOptional: true },
    {
      name: "currencies",
      label: "column.currencies",
      kind: "text",
      isOptional: true,
      placeholder: "USD EUR",
    },
  ],
  toCall(values) {
    const {
      customerType,
      name = "",
      platformCustomerId = "",
      email = "",
      currencies = "",
    } = values;
    const codes = currencies.split(/[\s,]+/).filter((code) => code !== "");
    const shared = {
      ...(platformCustomerId === "" ? {} : { platformCustomerId }),
      ...(email === "" ? {} : { email }),
      ...(codes.length === 0 ? {} : { currencies: codes }),
    };
    const body =
      customerType === "BUSINESS"
        ? {
            customerType,
            ...shared,
            businessInfo: {
              legalName: name,
              country: values.country,
              taxId: values.taxId,
              incorporatedOn: values.incorporatedOn,
            },
          }
        : { customerType, ...shared, fullName: name };
    return { method: "POST", path: ["customers"], body: body as never };
  },
};
