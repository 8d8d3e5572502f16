import { SubPlaces } from "../../../ui/sub-places.tsx";

export function WebhookTabs() {
  return (
    <SubPlaces
      name="webhooks.title"
      places={[
        ["webhooks", "webhooks.endpoints"],
        ["deliveries", "deliveries.title"],
      ]}
    />
  );
}
