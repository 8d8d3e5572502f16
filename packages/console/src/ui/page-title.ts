import { useEffect } from "react";
import { t } from "../text/messages.ts";

/** The title of the tab: what is open, then the console. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} \u00b7 ${t("app.title")}`;
  }, [title]);
}
