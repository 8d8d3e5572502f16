/** Checks before a page is shown: a session, and access to the platform. */
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, useMemo } from "react";
import { toFailure } from "./api/failures.ts";
import { type OpenPlatform, PlatformContext } from "./api/platform.ts";
import { platformSend } from "./api/platform-send.ts";
import { type Session, sessionQuery } from "./api/session.ts";
import { Frame } from "./shell/frame.tsx";
import { recall, remember } from "./std/storage.ts";
import { later, t } from "./text/messages.ts";
import { setClockAhead } from "./text/time.ts";
import { CardContext } from "./ui/card/hover-card.ts";
import { Empty, Problem, Skeleton } from "./ui/states.tsx";

/** When the code cannot be loaded (offline, or a newer deployment), links have no card. */
const IdCard = lazy(() =>
  later(() => import("./pages/people/cards/id-card.tsx")).then(
    ({ IdCard: card }) => ({ default: card }),
    () => ({ default: () => null }),
  ),
);

/** Opens the platform of the last visit, otherwise a sandbox. */
export function FirstPage() {
  return (
    <WithSession>
      {({ platforms }) => {
        const last = platforms.find(({ slug }) => slug === recall("platform"));
        const sandbox = platforms.find(({ environment }) => environment === "SANDBOX");
        const chosen = last ?? sandbox ?? platforms[0];
        return chosen === undefined ? (
          <Alone>
            <Empty sentence={t("app.noPlatform")} />
          </Alone>
        ) : (
          <Navigate to={`/p/${chosen.slug}/home`} replace />
        );
      }}
    </WithSession>
  );
}

export function PlatformPages() {
  return <WithSession>{(session) => <OnePlatform session={session} />}</WithSession>;
}

function OnePlatform({ session }: { readonly session: Session }) {
  const { slug = "" }: { readonly slug?: string } = useParams({ strict: false });
  const found = session.platforms.find((one) => one.slug === slug);
  const id = found?.id;
  const send = useMemo(() => (id === undefined ? undefined : platformSend(id)), [id]);
  if (found === undefined || send === undefined) {
    return (
      <Alone>
        <Empty sentence={t("app.otherPlatform")} />
      </Alone>
    );
  }
  remember("platform", slug);
  setClockAhead(found.clockAheadMs ?? 0);
  const capabilities = [...new Set([...found.capabilities, ...session.capabilities])];
  const platform: OpenPlatform = { ...found, capabilities, send };
  return (
    <PlatformContext value={platform}>
      <CardContext value={IdCard}>
        <Frame key={found.id} session={session} />
      </CardContext>
    </PlatformContext>
  );
}

function WithSession({ children }: { readonly children: (session: Session) => ReactNode }) {
  const { data, error, refetch } = useQuery(sessionQuery);
  if (data !== undefined) return children(data);
  if (error === null) {
    return (
      <Alone>
        <Skeleton rows={6} />
      </Alone>
    );
  }
  if (toFailure(error).code === "UNAUTHORIZED") return <Navigate to="/sign-in" replace />;
  return (
    <Alone>
      <Problem error={error} onRetry={() => void refetch()} />
    </Alone>
  );
}

export function NoPage() {
  return (
    <Alone>
      <Empty sentence={t("app.noPage")} />
    </Alone>
  );
}

function Alone({ children }: { readonly children: ReactNode }) {
  return <main className="mx-auto max-w-xl p-6">{children}</main>;
}
