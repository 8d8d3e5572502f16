import { ListPage } from "../../detail/list-page.tsx";
import { t } from "../../text/messages.ts";
import { ExportButton } from "../exports/export-button.tsx";
import { requestList } from "./request-list.tsx";

export function RequestsPage() {
  return (
    <ListPage
      spec={requestList}
      place="requests"
      tools={<ExportButton kind="REQUESTS" list={requestList} />}
      above={<p className="-mt-2 pb-4 text-body text-soft">{t("requests.kept")}</p>}
    />
  );
}
