import { SubPlaces } from "../../../ui/sub-places.tsx";

export function SystemTabs() {
  return (
    <SubPlaces
      name="system.title"
      places={[
        ["system", "system.state"],
        ["system-verifications", "system.verifications"],
        ["system-platforms", "system.platforms"],
        ["system-workspaces", "system.workspaces"],
      ]}
    />
  );
}
