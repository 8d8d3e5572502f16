/**
 * One stream for all tabs of a browser that show a platform. The tab that holds a Web Lock follows the stream and broadcasts it to
 * the others. When that tab is closed, the browser gives the lock to another tab, which resumes after the last position that it
 * received.
 */
import { now } from "../../std/host.ts";
import { followLive, type Heard } from "./follow.ts";

export interface LiveState {
  readonly isOpen: boolean;
  /** When the stream was last known to be open; undefined before the first time. */
  readonly openAt: number | undefined;
}

interface Listener {
  onHeard(heard: Heard): void;
  onState(state: LiveState): void;
}

type Told =
  | { readonly kind: "heard"; readonly heard: Heard }
  | { readonly kind: "state"; readonly state: LiveState }
  /** A new tab asks the leading tab for the state. */
  | { readonly kind: "ask" };

const MISSED: Heard = { seq: undefined, notice: undefined, isMissed: true };

/** Returns a function that leaves the stream. */
export function shareLive(platformId: string, { onHeard, onState }: Listener): () => void {
  const name = `florin.live.${platformId}`;
  const stop = new AbortController();
  const channel = new BroadcastChannel(name);
  let last: number | undefined;
  let state: LiveState = { isOpen: false, openAt: undefined };
  let isLeader = false;

  function take(told: Told): void {
    if (told.kind === "heard") {
      last = told.heard.seq ?? last;
      onHeard(told.heard);
    } else if (told.kind === "state") {
      state = told.state;
      onState(state);
    } else if (isLeader) channel.postMessage({ kind: "state", state } satisfies Told);
  }
  function tell(told: Told): void {
    channel.postMessage(told);
    take(told);
  }
  channel.onmessage = ({ data }: MessageEvent<Told>) => take(data);
  channel.postMessage({ kind: "ask" } satisfies Told);

  async function lead(): Promise<void> {
    isLeader = true;
    await followLive({
      platformId,
      after: last,
      signal: stop.signal,
      onOpen(isGapless) {
        // Without a position, a reopened stream may have missed notices.
        if (!isGapless && state.openAt !== undefined) tell({ kind: "heard", heard: MISSED });
        tell({ kind: "state", state: { isOpen: true, openAt: now() } });
      },
      onLost() {
        const openAt = state.isOpen ? now() : state.openAt;
        tell({ kind: "state", state: { isOpen: false, openAt } });
      },
      onHeard: (heard) => tell({ kind: "heard", heard }),
    });
  }
  // The request rejects when this tab leaves before it gets the lock.
  navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined);
  return () => {
    stop.abort();
    channel.close();
  };
}
