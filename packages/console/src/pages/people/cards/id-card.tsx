/** The card of an object, shown beside its link. Its code is fetched when the first card opens. */
import { Tooltip, TooltipTriggerStateContext } from "react-aria-components";
import { toFailure } from "../../../api/failures.ts";
import { readId } from "../../../std/ids.ts";
import { wordOf } from "../../../text/messages.ts";
import type { CardProps } from "../../../ui/card/hover-card.ts";
import { Time } from "../../../ui/values.tsx";
import { type FaceReading, faces } from "./faces.tsx";

export function IdCard({ id, state, tooltipId, triggerRef }: CardProps) {
  const kind = readId(id)?.kind ?? "";
  const useFace = faces[kind];
  if (useFace === undefined || !state.isOpen) return null;
  // The card is rendered inside a landmark for accessibility, or inside an open dialog, which hides everything outside of it.
  const container = triggerRef.current?.closest("[role=dialog], main");
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip
        {...(tooltipId === undefined ? {} : { id: tooltipId })}
        {...(container instanceof HTMLElement ? { UNSTABLE_portalContainer: container } : {})}
        triggerRef={triggerRef}
        placement="bottom start"
        offset={6}
        className="w-64 rounded-panel border border-line bg-ground px-3 py-2 text-body text-ink shadow-lg"
      >
        <Content id={id} kind={kind} useFace={useFace} />
      </Tooltip>
    </TooltipTriggerStateContext>
  );
}

function Content({
  id,
  kind,
  useFace,
}: {
  readonly id: string;
  readonly kind: string;
  readonly useFace: (id: string) => FaceReading;
}) {
  const { face, error } = useFace(id);
  return (
    <>
      <div className="flex min-h-6 items-center justify-between gap-2">
        <span className="text-caption text-soft">{wordOf("kind", kind)}</span>
        {face?.state}
      </div>
      {face === undefined ? (
        <Absent error={error} />
      ) : (
        <>
          <div className="truncate text-form font-semibold">{face.lead}</div>
          <div className="flex items-baseline justify-between gap-3 text-caption text-soft">
            <span className="min-w-0 truncate">{face.under}</span>
            {face.at !== undefined && <Time at={face.at} />}
          </div>
        </>
      )}
    </>
  );
}

/** Has the height of the loaded content, so that the card does not move. */
function Absent({ error }: { readonly error: unknown }) {
  if (error !== null) return <p className="text-caption text-soft">{toFailure(error).message}</p>;
  return (
    <>
      <div className="my-1.5 h-3 w-32 rounded-full bg-line" />
      <div className="my-1 h-2.5 w-20 rounded-full bg-line" />
    </>
  );
}
