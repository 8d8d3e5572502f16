import { SubPlaces } from "../../ui/sub-places.tsx";

export function RailTabs() {
  return (
    <SubPlaces
      name="rails.title"
      places={[
        ["rails", "rails.connections"],
        ["rail-queue", "rails.queue"],
        ["rail-items", "rails.items"],
      ]}
    />
  );
}
