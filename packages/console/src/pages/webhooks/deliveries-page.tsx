import { ListPage } from "../../detail/list-page.tsx";
import { deliveryList } from "./delivery-list.tsx";
import { WebhookTabs } from "./webhook-tabs.tsx";

const spec = deliveryList();

export function DeliveriesPage() {
  return <ListPage spec={spec} place="deliveries" above={<WebhookTabs />} />;
}
