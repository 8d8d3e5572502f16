import { type ReactNode, useEffect } from "react";
import { t } from "../text/messages.ts";

/** Sets the title of the browser tab: the open page, then the console's name. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} \u00b7 ${t("app.title")}`;
  }, [title]);
}

/** The title of a page, and its acts. */
export function PageHead({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-4">
      <h1 className="text-title font-semibold">{title}</h1>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}
