/** The frame of every page: the sidebar, icon rail or bottom bar, and a header with workspace, platform and environment. */
import { Outlet } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { useLive } from "../api/live/live.ts";
import type { LiveState } from "../api/live/share.ts";
import { usePlatform } from "../api/platform.ts";
import type { Session } from "../api/session.ts";
import { t } from "../text/messages.ts";
import { classes } from "../ui/classes.ts";
import { PlaceLink } from "../ui/place-link.tsx";
import { useWidth } from "../ui/use-width.ts";
import { ApprovalCount } from "./approval-count.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { FailingEndpoints } from "./failing-endpoints.tsx";
import { KeyHelp } from "./key-help.tsx";
import { useKeys } from "./keys.ts";
import { LiveDot } from "./live-dot.tsx";
import { PersonMenu, PlatformMenu } from "./menus.tsx";
import { APPROVALS, type PlaceGroup, placesFor } from "./navigation.ts";
import { Palette } from "./palette.tsx";
import { Tray } from "./tray.tsx";
import { UncheckedRails } from "./unchecked-rails.tsx";

export function Frame({ session }: { readonly session: Session }) {
  const platform = usePlatform();
  const width = useWidth();
  const live = useLive();
  const groups = placesFor(platform.capabilities, platform.environment);
  const [open, setOpen] = useState<"palette" | "help" | undefined>();
  useKeys({ groups, openPalette: () => setOpen("palette"), openHelp: () => setOpen("help") });
  const isSandbox = platform.environment === "SANDBOX";
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="fixed start-2 top-2 z-50 -translate-y-20 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t("nav.skip")}
      </a>
      {isSandbox && <div className="sticky top-0 z-30 h-1 bg-amber" />}
      <div className="flex">
        {width !== "phone" && <Sidebar groups={groups} isRail={width === "rail"} />}
        <div className="flex min-w-0 flex-1 flex-col">
          <Header session={session} live={live} openPalette={() => setOpen("palette")} />
          <main
            id="content"
            tabIndex={-1}
            className="w-full max-w-350 flex-1 px-4 pt-4 pb-24 outline-none rail:px-6 rail:pb-12"
          >
            <FailingEndpoints />
            <UncheckedRails />
            <Outlet />
          </main>
        </div>
      </div>
      {width === "phone" && <BottomBar groups={groups} openPalette={() => setOpen("palette")} />}
      <Palette groups={groups} isOpen={open === "palette"} onClose={() => setOpen(undefined)} />
      <KeyHelp groups={groups} isOpen={open === "help"} onClose={() => setOpen(undefined)} />
    </div>
  );
}

function Header({
  session,
  live,
  openPalette,
}: {
  readonly session: Session;
  readonly live: LiveState;
  readonly openPalette: () => void;
}) {
  const isSandbox = usePlatform().environment === "SANDBOX";
  return (
    <header
      className={classes(
        "sticky z-20 flex h-13 items-center gap-2 border-line border-b bg-ground px-4 rail:px-6",
        isSandbox ? "top-1" : "top-0",
      )}
    >
      <PlatformMenu session={session} />
      <div className="flex-1" />
      <LiveDot state={live} />
      <Tray />
      <Button
        onPress={openPalette}
        className="inline-flex h-8 items-center gap-2 rounded-control border border-line bg-panel px-2 text-body text-soft hover:text-ink max-rail:hidden"
      >
        <Search size={14} aria-hidden />
        <span className="w-28 text-start max-wide:sr-only">{t("palette.title")}</span>
        <kbd className="font-sans text-caption">{t("palette.key")}</kbd>
      </Button>
      <PersonMenu session={session} />
    </header>
  );
}

function Sidebar({
  groups,
  isRail,
}: {
  readonly groups: readonly PlaceGroup[];
  readonly isRail: boolean;
}) {
  const { environment } = usePlatform();
  return (
    <nav
      aria-label={t("nav.title")}
      className={classes(
        "sticky shrink-0 self-start overflow-y-auto border-line border-e bg-panel p-2",
        environment === "SANDBOX" ? "top-1 h-[calc(100dvh-4px)]" : "top-0 h-dvh",
        isRail ? "w-14" : "w-58",
      )}
    >
      <div className="flex h-11 items-center gap-2 px-2 text-form font-semibold">
        <Mark />
        {!isRail && t("app.name")}
      </div>
      {groups.map(({ title, places }) => (
        <div key={title ?? "top"} className="pb-3">
          {title !== undefined && !isRail && (
            <div className="px-2 pt-1 pb-1 text-caption font-semibold text-soft">{t(title)}</div>
          )}
          {title !== undefined && isRail && <hr className="mx-2 mb-2 border-line" />}
          <ul>
            {places.map(({ path, title: name, icon: Icon }) => (
              <li key={path}>
                <PlaceLink
                  place={path}
                  {...(isRail ? { label: t(name) } : {})}
                  className={classes(
                    "relative flex h-8 items-center gap-2.5 rounded-control px-2 text-body text-soft hover:bg-line/60 hover:text-ink pointer-coarse:h-11",
                    "data-[status=active]:bg-line data-[status=active]:font-medium data-[status=active]:text-ink",
                    isRail && "h-10 justify-center",
                  )}
                >
                  <Icon size={16} aria-hidden className="shrink-0" />
                  {isRail ? undefined : t(name)}
                  {path === APPROVALS && <ApprovalCount isInLine={!isRail} />}
                </PlaceLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 shrink-0">
      <rect width="32" height="32" rx="8" fill="#2456d6" />
      <path
        d="M11 24V8h11M11 16h8"
        fill="none"
        stroke="#fff"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
