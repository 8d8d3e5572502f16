import { useMay } from "../../../api/platform.ts";
import { ListPage } from "../../../detail/list-page.tsx";
import { ExportButton } from "../../reading/exports/export-button.tsx";
import { deliveryList } from "./delivery-list.tsx";
import { ResendAll, ResendProgress } from "./resend-many.tsx";
import { WebhookTabs } from "./webhook-tabs.tsx";

const [readOnly, withSelection] = [deliveryList(), deliveryList({}, true)];

export function DeliveriesPage() {
  const may = useMay("deliveries.resend-many", "pii.read");
  return (
    <ListPage
      spec={may ? withSelection : readOnly}
      place="deliveries"
      above={
        <>
          <WebhookTabs />
          <ResendProgress />
        </>
      }
      tools={
        <>
          <ExportButton kind="DELIVERIES" list={readOnly} />
          <ResendAll />
        </>
      }
    />
  );
}
