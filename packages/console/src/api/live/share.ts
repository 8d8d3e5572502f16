/**
 * One stream for all tabs of a browser that show a platform. The tab that holds the lock follows the stream and tells the others; when
 * it is closed the browser gives the lock to another one, which goes on behind what it heard last.
 */
import { now } from "../../std/host.ts";
import { followLive, type Heard } from "./follow.ts";

export interface LiveState {
  readonly isOpen: boolean;
  /** When the stream was known to be open last; undefined before it was open. */
  readonly openAt: number | undefined;
}

interface Listener {
  onHeard(heard: Heard): void;
  onState(state: LiveState): void;
}

type Told =
  | { readonly kind: "heard"; readonly heard: Heard }
  | { readonly kind: "state"; readonly state: LiveState }
  /** A new tab wants to know the state. */
  | { readonly kind: "ask" };

const MISSED: Heard = { seq: undefined, notice: undefined, isMissed: true };

/** Answers what ends it. */
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
        // A stream that was open before, and starts at this moment, may have missed something.
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
  // Rejected when this tab is left before it was given the lock.
  navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined);
  return () => {
    stop.abort();
    channel.close();
  };
}
