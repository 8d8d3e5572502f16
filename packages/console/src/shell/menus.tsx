/** The menu that switches platforms, and the menu of the signed-in person. */
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";
import { Button } from "react-aria-components";
import { usePlatform } from "../api/platform.ts";
import { own, type Session } from "../api/session.ts";
import { newKey } from "../std/host.ts";
import { visibleText } from "../std/outside-text.ts";
import { t } from "../text/messages.ts";
import { Menu } from "../ui/menu.tsx";
import { OutsideWord } from "../ui/values.tsx";
import { type Theme, useTheme } from "./theme-choice.ts";

/** Switching keeps the present page if the other platform has it, but not an open object. */
export function PlatformMenu({ session }: { readonly session: Session }) {
  const platform = usePlatform();
  const navigate = useNavigate();
  const { pathname } = useRouterState({ select: ({ location }) => location });
  const place = pathname.split("/p/")[1]?.split("/")[1] ?? "home";
  const environment = environmentWord(platform.environment);
  const sorted = [...session.platforms].sort((one, other) =>
    other.environment.localeCompare(one.environment),
  );
  return (
    <Menu
      label={t("platform.switch")}
      trigger={
        <Button className="flex h-9 min-w-0 items-center gap-2 rounded-control px-2 -ms-2 hover:bg-panel pointer-coarse:h-11">
          <span className="truncate text-body text-soft max-rail:hidden">
            <OutsideWord text={session.workspace.name} /> {"/"}
          </span>
          <span className="truncate text-body font-semibold">
            <OutsideWord text={platform.name} />
          </span>
          <EnvironmentMark environment={platform.environment} word={environment} />
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-soft" />
          <span className="sr-only">{t("platform.switch")}</span>
        </Button>
      }
      choices={sorted.map((one) => ({
        id: one.id,
        text: one.name,
        isCurrent: one.id === platform.id,
        label: (
          <>
            <span className="truncate">
              <OutsideWord text={one.name} />
            </span>
            <EnvironmentMark
              environment={one.environment}
              word={environmentWord(one.environment)}
            />
          </>
        ),
        onAction: () => navigate({ to: `/p/${one.slug}/${place}` }),
      }))}
    />
  );
}

function environmentWord(environment: string): string {
  return t(environment === "SANDBOX" ? "environment.sandbox" : "environment.production");
}

function EnvironmentMark({
  environment,
  word,
}: {
  readonly environment: string;
  readonly word: string;
}) {
  return (
    <span
      className={`rounded-control px-1.5 text-caption font-medium ${environment === "SANDBOX" ? "tint-wait" : "tint-plain"}`}
    >
      {word}
    </span>
  );
}

const THEMES: readonly { readonly theme: Theme; readonly icon: typeof Sun }[] = [
  { theme: "light", icon: Sun },
  { theme: "dark", icon: Moon },
  { theme: "system", icon: Monitor },
];

export function PersonMenu({ session }: { readonly session: Session }) {
  const { theme, choose } = useTheme();
  const { person } = session;
  const { slug } = usePlatform();
  const navigate = useNavigate();
  const signOut = async () => {
    await own({ method: "POST", path: ["sign-out"] }, { idempotencyKey: newKey() }).catch(
      () => undefined,
    );
    // Loading a new page removes all data of the session from memory.
    location.assign("/console/sign-in");
  };
  return (
    <Menu
      label={person.name}
      trigger={
        <Button className="flex size-8 shrink-0 items-center justify-center rounded-full bg-line text-caption font-semibold pointer-coarse:size-11">
          <span aria-hidden>{initials(person.name)}</span>
          <span className="sr-only">{t("person.menu", { name: person.name })}</span>
        </Button>
      }
      choices={[
        ...THEMES.map(({ theme: one, icon: Icon }) => ({
          id: one,
          text: t(`theme.${one}`),
          isCurrent: one === theme,
          label: (
            <span className="flex items-center gap-2">
              <Icon size={14} aria-hidden />
              {t(`theme.${one}`)}
            </span>
          ),
          onAction: () => choose(one),
        })),
        {
          id: "me",
          text: t("me.title"),
          label: (
            <span className="flex items-center gap-2">
              <UserRound size={14} aria-hidden />
              {t("me.title")}
            </span>
          ),
          onAction: () => void navigate({ to: `/p/${slug}/me` }),
        },
        {
          id: "out",
          text: t("person.signOut"),
          label: (
            <span className="flex items-center gap-2">
              <LogOut size={14} aria-hidden />
              {t("person.signOut")}
            </span>
          ),
          onAction: () => void signOut(),
        },
      ]}
    />
  );
}

function initials(name: string): string {
  const words = visibleText(name).trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
