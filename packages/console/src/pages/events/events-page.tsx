import { ListPage } from "../../detail/list-page.tsx";
import { eventList } from "./event-list.tsx";

const spec = eventList();

export function EventsPage() {
  return <ListPage spec={spec} place="events" />;
}
