/** Reads a page of a list. Shown rows keep their places while new ones are created. */
import { useQueryClient } from "@tanstack/react-query";
import type { AnswerOf, Call, ListId } from "../operations.ts";
import { keyOf, usePlatform, useRead } from "../platform.ts";
import { useHasChanged } from "./live.ts";

export function useSteadyRead<Id extends ListId>(
  call: Call<Id>,
  isMoving: (answer: AnswerOf<Id>) => boolean,
  isTail = false,
) {
  const { id } = usePlatform();
  const client = useQueryClient();
  const reading = useRead<Id>(call, {
    keepsPrevious: true,
    staysInPlace: true,
    ...(isTail ? { isMoving: () => true } : {}),
  });
  const hasChanged = useHasChanged(call.path.map(String));
  const { data, isPlaceholderData } = reading;
  const isFollowed =
    !isTail && data !== undefined && !isPlaceholderData && (hasChanged || isMoving(data));
  const ahead = useRead<Id>(call, { isAhead: true, isMoving, isOff: !isFollowed });
  const isNewer = isFollowed && ahead.dataUpdatedAt > reading.dataUpdatedAt;
  return {
    reading,
    /** The list's current page; undefined until it was read after a change. */
    ahead: isNewer ? ahead.data : undefined,
    /** Replaces the shown page with `ahead`. */
    takeAhead: () => client.setQueryData(keyOf<Id>(id, call), ahead.data),
  };
}
