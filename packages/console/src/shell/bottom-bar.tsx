/** The navigation of a phone: the four most used places, the search, and a button for everything else. */
import { ArrowLeftRight, House, Menu as MenuIcon, Search, Stamp } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { t } from "../text/messages.ts";
import { Dialog } from "../ui/dialog.tsx";
import { PlaceLink } from "../ui/place-link.tsx";
import { ApprovalCount } from "./approval-count.tsx";
import { APPROVALS, type PlaceGroup } from "./navigation.ts";

const itemLook =
  "relative flex min-h-13 flex-1 flex-col items-center justify-center gap-0.5 text-caption text-soft data-[status=active]:text-accent";

const MAIN = [
  { path: "home", icon: House, title: "home.title" },
  { path: "payments", icon: ArrowLeftRight, title: "payments.title" },
  { path: APPROVALS, icon: Stamp, title: "approvals.title" },
] as const;

export function BottomBar({
  groups,
  openPalette,
}: {
  readonly groups: readonly PlaceGroup[];
  readonly openPalette: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const known = new Set(groups.flatMap(({ places }) => places.map(({ path }) => path)));
  return (
    <nav
      aria-label={t("nav.title")}
      className="fixed inset-x-0 bottom-0 z-20 flex border-line border-t bg-ground pb-[env(safe-area-inset-bottom)]"
    >
      {MAIN.filter(({ path }) => known.has(path)).map(({ path, icon: Icon, title }) => (
        <PlaceLink key={path} place={path} className={itemLook}>
          <Icon size={20} aria-hidden />
          {t(title)}
          {path === APPROVALS && <ApprovalCount />}
        </PlaceLink>
      ))}
      <Button className={itemLook} onPress={openPalette}>
        <Search size={20} aria-hidden />
        {t("palette.short")}
      </Button>
      <Button className={itemLook} onPress={() => setOpen(true)}>
        <MenuIcon size={20} aria-hidden />
        {t("nav.more")}
      </Button>
      <Dialog title={t("nav.title")} isOpen={isOpen} onClose={() => setOpen(false)}>
        {groups.map(({ title, places }) => (
          <div key={title ?? "top"}>
            {title !== undefined && (
              <div className="pb-1 text-caption font-semibold text-soft">{t(title)}</div>
            )}
            <ul className="grid grid-cols-2 gap-x-2">
              {places.map(({ path, title: name, icon: Icon }) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is what keys reach
                <li key={path} onClick={() => setOpen(false)}>
                  <PlaceLink
                    place={path}
                    className="flex h-11 items-center gap-2.5 rounded-control px-2 text-form hover:bg-panel data-[status=active]:text-accent"
                  >
                    <Icon size={18} aria-hidden className="text-soft" />
                    {t(name)}
                  </PlaceLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Dialog>
    </nav>
  );
}
