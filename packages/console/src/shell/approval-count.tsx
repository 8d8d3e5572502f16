import { useRead } from "../api/platform.ts";
import { t } from "../text/messages.ts";
import { classes } from "../ui/classes.ts";

const COUNTED = 9;

/** The number of orders that the signed-in person may decide, over all platforms. */
export function ApprovalCount({ isInLine = false }: { readonly isInLine?: boolean }) {
  const { data } = useRead<"listWorkspaceApprovals">({
    method: "GET",
    path: ["workspace", "approvals"],
    query: { shown: "MINE_TO_DECIDE", limit: COUNTED },
  });
  const count = data?.data.length ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={classes(
        isInLine ? "ms-auto" : "absolute end-1 top-1",
        "min-w-4 rounded-full bg-accent px-1 text-center text-caption leading-4 text-on-accent tabular-nums",
      )}
    >
      <span aria-hidden>{data?.hasMore === true ? `${count}+` : count}</span>
      <span className="sr-only">{t("approvals.count", { count })}</span>
    </span>
  );
}
