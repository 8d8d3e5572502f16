import { useSyncExternalStore } from "react";
import { watchMedia } from "../std/host.ts";

export type Width = "phone" | "rail" | "wide";

const RAIL = "(min-width: 768px)";
const WIDE = "(min-width: 1280px)";

/** The breakpoints of the style sheet: a phone, an icon rail, a sidebar with panels. */
export function useWidth(): Width {
  return useSyncExternalStore(
    (listen) => {
      const stops = [watchMedia(RAIL, listen), watchMedia(WIDE, listen)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    () => {
      if (matchMedia(WIDE).matches) return "wide";
      return matchMedia(RAIL).matches ? "rail" : "phone";
    },
  );
}
