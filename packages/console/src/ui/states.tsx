/** What a page shows in place of its content. No page is ever blank. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { toFailure } from "../api/failures.ts";
import { sessionQuery } from "../api/session.ts";
import { issuerPage } from "../api/sso-operations.ts";
import { t, wordOf } from "../text/messages.ts";
import { Button, buttonLook } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";

const SKELETON_AFTER_MS = 150;

/** Bars of the size of the content. Nothing within the first 150 ms: most answers are faster. */
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

/** Nothing exists yet: what this is, one act, one call. */
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
      {act}
      {curl !== undefined && <CodeBlock code={curl} what={t("api.curl")} />}
    </div>
  );
}

/** Refused, failed or out of reach: what happened, under which id, and what to do. */
export function Problem({
  error,
  isPage = false,
  onRetry,
}: {
  readonly error: unknown;
  /** In place of a page or an object, whose heading is missing with it. */
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

/** For a person who came by an issuer: its word counts for acts that ask for a proof. The page is left, and what was typed is lost. */
export function SignInAgain() {
  const { sso } = useQuery({ ...sessionQuery, enabled: false }).data ?? {};
  if (sso === undefined) return null;
  return (
    <a href={issuerPage("step-up", sso.issuerId)} className={`${buttonLook("plain")} mt-2`}>
      {t("signIn.again", { name: sso.name })}
    </a>
  );
}

/** A part of a page that is read by itself. */
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
