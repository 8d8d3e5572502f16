/** Reads a page of a list. Shown rows keep their places while new ones are created. */
import { useQueryClient } from "@tanstack/react-query";
import type { AnswerOf, Call, ListId } from "../operations.ts";
import { keyOf, usePlatform, useRead } from "../platform.ts";
import { useHasChanged } from "./live.ts";
import { awaitsEffect } from "./own-acts.ts";

interface Steadiness<Id extends ListId> {
  readonly isMoving: (answer: AnswerOf<Id>) => boolean;
  /** New rows are shown at once. */
  readonly isTail?: boolean | undefined;
  /** The effect of an act on a row comes after the answer, so the list is polled for a while after an act. */
  readonly actsLater?: boolean | undefined;
}

export function useSteadyRead<Id extends ListId>(
  call: Call<Id>,
  { isTail = false, actsLater = false, ...rest }: Steadiness<Id>,
) {
  const isOwn = () => actsLater && awaitsEffect();
  const isMoving = (answer: AnswerOf<Id>) => isOwn() || rest.isMoving(answer);
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
    /** A change may be the effect of an act in this tab. */
    isOwn: isOwn(),
    /** Replaces the shown page with `ahead`. */
    takeAhead: () => client.setQueryData(keyOf<Id>(id, call), ahead.data),
  };
}
