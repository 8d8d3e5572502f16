import type { Customer } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { FreezeButton } from "../../act/freeze.tsx";
import { useMay } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { customerName, verificationOf } from "./customer-list.tsx";
import { deleteCustomer } from "./delete-customer.tsx";
import { editCustomer } from "./edit-customer.ts";

export function CustomerActs({ customer }: { readonly customer: Customer }) {
  const mayWrite = useMay("customers.write");
  const mayFreeze = useMay(
    customer.frozen === undefined ? "customers.freeze" : "customers.unfreeze",
  );
  if (!mayWrite && !mayFreeze) return undefined;
  const state = verificationOf(customer);
  const isOpen = state !== undefined && state !== "APPROVED";
  return (
    <>
      {mayWrite && (
        <ActButton spec={editCustomer(customer)} act="edit">
          {t("act.edit")}
        </ActButton>
      )}
      {mayWrite && isOpen && (
        <>
          <ActButton spec={kycLink(customer)} act="link">
            {t("customers.link")}
          </ActButton>
          <ActButton spec={submit(customer)} act="submit">
            {t("customers.submit")}
          </ActButton>
        </>
      )}
      {mayFreeze && (
        <FreezeButton
          noun="customers"
          id={customer.id}
          name={customerName(customer)}
          isFrozen={customer.frozen !== undefined}
        />
      )}
      {mayWrite && (
        <ActButton spec={deleteCustomer(customer)} act="delete" weight="danger">
          {t("act.delete")}
        </ActButton>
      )}
    </>
  );
}

function kycLink({ id }: Customer): ActSpec<"createKycLink"> {
  return {
    title: t("customers.link"),
    verb: t("customers.makeLink"),
    intro: t("customers.linkIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["customers", id, "kyc-link"], body: {} }),
    after: ({ kycUrl }) => <CodeBlock code={kycUrl} what={t("customers.link")} />,
  };
}

function submit({ id }: Customer): ActSpec<"createVerification"> {
  return {
    title: t("customers.submit"),
    verb: t("customers.submit"),
    intro: t("customers.submitIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["verifications"], body: { customerId: id } }),
  };
}
