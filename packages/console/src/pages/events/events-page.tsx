import { ListPage } from "../../detail/list-page.tsx";
import { ExportButton } from "../reading/exports/export-button.tsx";
import { eventList } from "./event-list.tsx";

const spec = eventList();

export function EventsPage() {
  return <ListPage spec={spec} place="events" tools={<ExportButton kind="EVENTS" list={spec} />} />;
}
