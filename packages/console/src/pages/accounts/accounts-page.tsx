import { useSearch } from "@tanstack/react-router";
import { ListPage } from "../../detail/list-page.tsx";
import { t } from "../../text/messages.ts";
import { classes } from "../../ui/classes.ts";
import { PlaceLink } from "../../ui/place-link.tsx";
import { customerAccounts, platformAccounts } from "./account-list.tsx";

/** Accounts of customers, or those of the platform itself. */
export function AccountsPage() {
  const { owner }: { readonly owner?: string } = useSearch({ strict: false });
  const isPlatform = owner === "platform";
  const above = (
    <div className="flex gap-1 pb-3">
      <OwnerLink owner="customers" isCurrent={!isPlatform}>
        {t("accounts.ofCustomers")}
      </OwnerLink>
      <OwnerLink owner="platform" isCurrent={isPlatform}>
        {t("accounts.ofPlatform")}
      </OwnerLink>
    </div>
  );
  return isPlatform ? (
    <ListPage spec={platformAccounts} place="accounts" above={above} />
  ) : (
    <ListPage spec={customerAccounts} place="accounts" above={above} />
  );
}

function OwnerLink({
  owner,
  isCurrent,
  children,
}: {
  readonly owner: string;
  readonly isCurrent: boolean;
  readonly children: string;
}) {
  return (
    <PlaceLink
      place="accounts"
      search={{ owner }}
      className={classes(
        "inline-flex h-7 items-center rounded-control px-2 text-body font-medium pointer-coarse:h-11",
        isCurrent ? "bg-line text-ink" : "text-soft hover:text-ink",
      )}
    >
      {children}
    </PlaceLink>
  );
}
