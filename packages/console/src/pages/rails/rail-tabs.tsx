import { SubPlaces } from "../../ui/sub-places.tsx";

export function RailTabs() {
  return (
    <SubPlaces
      name="rails.title"
      places={[
        ["rails", "rails.connections"],
        ["rail-queue", "rails.queue"],
        ["rail-marks", "rails.marks"],
        ["rail-items", "rails.items"],
        ["rail-reconciliation", "rails.reconciliation"],
        ["rail-entries", "rails.entries"],
        ["rail-receivables", "rails.receivables"],
      ]}
    />
  );
}
