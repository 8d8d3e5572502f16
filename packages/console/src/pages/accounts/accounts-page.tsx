import { useSearch } from "@tanstack/react-router";
import { ListPage } from "../../detail/list-page.tsx";
import { t } from "../../text/messages.ts";
import { LinkTabs } from "../../ui/link-tabs.tsx";
import { customerAccounts, platformAccounts } from "./account-list.tsx";
import { OpenAccount } from "./own-accounts.tsx";

/** Accounts of customers, or the platform's own accounts. */
export function AccountsPage() {
  const { owner }: { readonly owner?: string } = useSearch({ strict: false });
  const isPlatform = owner === "platform";
  const above = (
    <LinkTabs
      place="accounts"
      name="owner"
      current={isPlatform ? "platform" : "customers"}
      choices={[
        ["customers", t("accounts.ofCustomers")],
        ["platform", t("accounts.ofPlatform")],
      ]}
    />
  );
  return isPlatform ? (
    <ListPage spec={platformAccounts} place="accounts" above={above} acts={<OpenAccount />} />
  ) : (
    <ListPage spec={customerAccounts} place="accounts" above={above} />
  );
}
