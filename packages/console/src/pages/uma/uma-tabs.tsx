import { SubPlaces } from "../../ui/sub-places.tsx";

export function UmaTabs() {
  return (
    <SubPlaces
      name="uma.title"
      places={[
        ["uma", "uma.setUp"],
        ["uma-counterparties", "uma.counterparties"],
        ["uma-exchanges", "uma.exchanges"],
      ]}
    />
  );
}
