/** Keyboard shortcuts of the whole console. They are ignored in fields and dialogs. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { usePlatform } from "../api/platform.ts";
import { isInField } from "../std/host.ts";
import type { PlaceGroup } from "./navigation.ts";

/** The second key of a sequence such as `g h` must follow within this time. */
const SECOND_KEY_MS = 1_500;

export function useKeys({
  groups,
  openPalette,
  openHelp,
}: {
  readonly groups: readonly PlaceGroup[];
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}): void {
  const navigate = useNavigate();
  const { slug } = usePlatform();
  useEffect(() => {
    let goUntil = 0;
    const places = new Map(
      groups.flatMap(({ places: some }) => some.map(({ key, path }) => [key, path] as const)),
    );
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.metaKey || event.ctrlKey;
      if (isCommand && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (isCommand || event.altKey || isInField(event.target)) return;
      const place = event.timeStamp < goUntil ? places.get(event.key) : undefined;
      goUntil = event.key === "g" ? event.timeStamp + SECOND_KEY_MS : 0;
      if (place !== undefined) void navigate({ to: `/p/${slug}/${place}` });
      else if (event.key === "/") {
        event.preventDefault();
        openPalette();
      } else if (event.key === "?") openHelp();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [groups, slug, navigate, openPalette, openHelp]);
}
