/** Reads the shown data again when the live stream reports a change. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isHidden, now } from "../../std/host.ts";
import { usePlatform } from "../platform.ts";
import { type Change, concerns, type Notice } from "./changes.ts";
import type { Heard } from "./follow.ts";
import { type LiveState, shareLive } from "./share.ts";

/** Notices that arrive within this time are handled as one change. */
const GATHER_MS = 200;
/** Changes are passed on at most once in this time, so a busy platform does not cause constant reads. */
const APART_MS = 1_500;
/** More notices than this are handled as a change of everything. */
const MOST_NOTICES = 200;

type ChangeListener = (change: Change) => void;
const listeners = new Set<ChangeListener>();

/** Follows the live stream of the open platform. Only the frame may call it. */
export function useLive(): LiveState {
  const { id } = usePlatform();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>({ isOpen: false, openAt: undefined });
  useEffect(() => {
    const gathered = gather((change) => readAgain(client, id, change));
    const leave = shareLive(id, { onHeard: gathered.add, onState: setState });
    return () => {
      leave();
      gathered.stop();
    };
  }, [client, id]);
  return state;
}

/** True after a change of the data at this path, until the path changes. */
export function useHasChanged(path: readonly string[]): boolean {
  const [changed, setChanged] = useState("");
  const joined = path.join("/");
  useEffect(() => {
    const listen: ChangeListener = (change) => {
      if (concerns(joined.split("/"), change)) setChanged(joined);
    };
    listeners.add(listen);
    return () => {
      listeners.delete(listen);
    };
  }, [joined]);
  return changed === joined;
}

/** Reads stale data again. Lists keep their rows and only count new ones. A hidden page reads when it is visible again. */
function readAgain(client: QueryClient, platformId: string, change: Change): void {
  for (const listen of listeners) listen(change);
  void client.invalidateQueries({
    predicate: ({ queryKey: [owner, ...path], meta }) =>
      owner === platformId &&
      meta?.staysInPlace !== true &&
      concerns(
        path.filter((part) => typeof part === "string"),
        change,
      ),
    refetchType: isHidden() ? "none" : "active",
  });
}

function gather(onChange: (change: Change) => void) {
  let notices: Notice[] = [];
  let hasMissed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let toldAt = 0;
  function tell(): void {
    timer = undefined;
    toldAt = now();
    const change = hasMissed ? undefined : notices;
    notices = [];
    hasMissed = false;
    onChange(change);
  }
  return {
    add({ notice, isMissed }: Heard): void {
      if (notice === undefined && !isMissed) return;
      if (isMissed || notices.length >= MOST_NOTICES) hasMissed = true;
      else if (notice !== undefined) notices.push(notice);
      timer ??= setTimeout(tell, Math.max(GATHER_MS, toldAt + APART_MS - now()));
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
