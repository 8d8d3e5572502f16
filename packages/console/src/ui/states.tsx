/** Shown in place of a page's content: loading, empty and error states. A page is never blank. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { toFailure } from "../api/failures.ts";
import { sessionQuery } from "../api/session.ts";
import { issuerPage } from "../api/sso-operations.ts";
import { ActInUrlContext } from "../std/act-in-url.ts";
import { t, wordOf } from "../text/messages.ts";
import { Button, buttonLook } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";

const SKELETON_AFTER_MS = 150;

/** Placeholder bars of the content's size. Hidden for the first 150 ms, because most answers are faster. */
export function Skeleton({
  rows,
  height = 36,
}: {
  readonly rows: number;
  readonly height?: number;
}) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={t("state.loading")}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex items-center border-line border-b" style={{ height }}>
          {isShown && (
            <div
              className="h-2.5 animate-pulse rounded-full bg-line"
              style={{ width: `${70 - ((index * 17) % 40)}%` }}
            />
          )}
        </div>
      ))}
    </div>
  );
}

/** Shown when nothing exists yet: what this is, an act that creates the first one, and a sample call. */
export function Empty({
  sentence,
  act,
  curl,
}: {
  readonly sentence: string;
  readonly act?: ReactNode;
  readonly curl?: string | undefined;
}) {
  return (
    <div className="flex max-w-xl flex-col items-start gap-4 py-8">
      <p className="text-form text-soft">{sentence}</p>
      {/* The head of the page has the same button. */}
      <ActInUrlContext value={false}>{act}</ActInUrlContext>
      {curl !== undefined && <CodeBlock code={curl} what={t("api.curl")} />}
    </div>
  );
}

/** Shown after a refusal, a failure or a lost connection: what happened, the request id, and what to do. */
export function Problem({
  error,
  isPage = false,
  onRetry,
}: {
  readonly error: unknown;
  /** Replaces a whole page or detail, so it renders the heading, too. */
  readonly isPage?: boolean;
  readonly onRetry?: (() => void) | undefined;
}) {
  const failure = toFailure(error);
  const Heading = isPage ? "h1" : "h2";
  return (
    <div role="alert" className="flex max-w-xl flex-col items-start gap-3 py-8">
      <Heading className="text-section font-semibold">{wordOf("failure", failure.kind)}</Heading>
      <p className="text-form text-soft">
        {failure.kind === "unreachable" ? t("failure.reach") : failure.message}
      </p>
      {failure.capability !== undefined && !failure.message.includes(failure.capability) && (
        <p className="text-form text-soft">
          {t("failure.capability", { capability: failure.capability })}
        </p>
      )}
      {failure.requestId !== undefined && (
        <p className="flex items-center gap-1 font-mono text-code text-soft">
          {failure.requestId}
          <CopyButton text={failure.requestId} what={t("kind.requestId")} />
        </p>
      )}
      {failure.asksForSignIn && <SignInAgain />}
      {onRetry !== undefined && failure.kind !== "refused" && (
        <Button onPress={onRetry}>{t("failure.retry")}</Button>
      )}
    </div>
  );
}

/** Offers a step-up by a new sign-in at the identity provider, for people who signed in there. It leaves the page and loses typed input. */
export function SignInAgain() {
  const { sso } = useQuery({ ...sessionQuery, enabled: false }).data ?? {};
  if (sso === undefined) return null;
  return (
    <a href={issuerPage("step-up", sso.issuerId)} className={`${buttonLook("plain")} mt-2`}>
      {t("signIn.again", { name: sso.name })}
    </a>
  );
}

/** Shows a part of a page that loads on its own. */
export function Waiting<Value>({
  reading,
  rows = 2,
  children,
}: {
  readonly reading: {
    readonly data: Value | undefined;
    readonly error: unknown;
    refetch(): unknown;
  };
  readonly rows?: number;
  readonly children: (value: Value) => ReactNode;
}) {
  if (reading.data !== undefined) return children(reading.data);
  if (reading.error === null) return <Skeleton rows={rows} />;
  return <Problem error={reading.error} onRetry={() => reading.refetch()} />;
}
