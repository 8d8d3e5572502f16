import { useEffect } from "react";
import { t } from "../text/messages.ts";

/** Sets the title of the browser tab: the open page, then the console's name. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} \u00b7 ${t("app.title")}`;
  }, [title]);
}
