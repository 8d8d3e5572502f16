import { SubPlaces } from "../../ui/sub-places.tsx";

export function TeamTabs() {
  return (
    <SubPlaces
      name="team.title"
      places={[
        ["team", "team.people"],
        ["team-roles", "team.roles"],
      ]}
    />
  );
}
