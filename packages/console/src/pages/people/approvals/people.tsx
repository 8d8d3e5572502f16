/** Shows names of people and platforms in place of ids. */
import { useQuery } from "@tanstack/react-query";
import { useMay, usePlatform, useRead } from "../../../api/platform.ts";
import { sessionQuery } from "../../../api/session.ts";
import { readId } from "../../../std/ids.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { IdText, PlaceLink } from "../../../ui/place-link.tsx";
import { OutsideText } from "../../../ui/values.tsx";

/** Shows a person's name if the reader may see people, or a token's id. Only the first 100 people are resolved to names. */
export function Who({ id }: { readonly id: string }) {
  const isPerson = id.startsWith("Person:");
  const mayRead = useMay("people.read");
  const reading = useRead<"listWorkspacePeople">(
    { method: "GET", path: ["workspace", "people"], query: { limit: 100 } },
    { isOff: !mayRead || !isPerson },
  );
  const name = reading.data?.data.find((one) => one.id === id)?.name;
  if (name === undefined) {
    return (
      <span className="whitespace-nowrap">
        {wordOf("kind", readId(id)?.kind ?? "id")} <IdText id={id} />
      </span>
    );
  }
  return (
    <PlaceLink place={`team/${id}`} className="text-accent hover:underline">
      <OutsideText text={name} isLine />
    </PlaceLink>
  );
}

/** The platform's name; the workspace when the id is undefined. */
export function PlatformName({ id }: { readonly id: string | undefined }) {
  const { data } = useQuery(sessionQuery);
  if (id === undefined) return t("approvals.ofWorkspace");
  const found = data?.platforms.find((one) => one.id === id);
  return found === undefined ? <IdText id={id} /> : <OutsideText text={found.name} isLine />;
}

/** True for ids of the open platform; objects of another platform have no page here. */
export function useIsHere(): (platformId: string | undefined) => boolean {
  const { id } = usePlatform();
  return (platformId) => platformId === id;
}
