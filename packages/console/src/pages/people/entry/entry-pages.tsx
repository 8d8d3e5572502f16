/** The sign-in page, and the pages of links to a first passkey. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { toFailure } from "../../../api/failures.ts";
import {
  acceptLink,
  type LinkKind,
  type LinkState,
  lookAtLink,
  signIn,
} from "../../../api/passkeys.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { TextInput } from "../../../ui/fields.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { Fault, useAttempt } from "./attempt.tsx";
import { IssuerSignIn } from "./issuer-sign-in.tsx";

function Sheet({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh items-start justify-center px-4 pt-[18dvh]">
      <div className="flex w-full max-w-sm flex-col gap-5">
        <div className="flex flex-col gap-1">
          <p className="text-body font-semibold text-accent">{t("app.name")}</p>
          <h1 className="text-title font-semibold">{title}</h1>
          <p className="text-form text-soft">{hint}</p>
        </div>
        {children}
      </div>
    </main>
  );
}

/** Shown when passkeys cannot work: they need a secure context and a host name in place of an IP address. */
function Insecure() {
  return (
    <Sheet title={t("entry.insecure")} hint={t("entry.insecureHint")}>
      <p className="text-form text-soft">{t("entry.insecureCure")}</p>
    </Sheet>
  );
}

const isUsable = () => window.isSecureContext && "PublicKeyCredential" in window;

function useEntered() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await client.invalidateQueries({ queryKey: ["session"] });
    await navigate({ to: "/" });
  };
}

export function SignInPage() {
  const { sso: outcome }: { readonly sso?: string } = useSearch({ strict: false });
  const enter = useEntered();
  const attempt = useAttempt(async () => {
    await signIn();
    await enter();
  });
  if (!isUsable()) return <Insecure />;
  return (
    <Sheet title={t("entry.signIn")} hint={t("entry.signInHint")}>
      {outcome !== undefined && attempt.error === undefined && (
        <p role="alert" className="tint-bad rounded-control p-3 text-form">
          {wordOf("sso.outcome", outcome)}
        </p>
      )}
      <Fault error={attempt.error} />
      <Button weight="primary" isDisabled={attempt.isBusy} onPress={attempt.go}>
        <KeyRound size={16} aria-hidden />
        {t("entry.withPasskey")}
      </Button>
      <IssuerSignIn />
    </Sheet>
  );
}

/** Shown in place of the form for a link that cannot be used any more. */
function Spent({ kind, state }: { readonly kind: LinkKind; readonly state: LinkState }) {
  const advice = kind === "start" ? "entry.startLinkAgain" : "entry.linkAgain";
  return (
    <Sheet title={wordOf("entry.link", state)} hint={t(advice)}>
      <Link to="/sign-in" className="text-form text-accent hover:underline">
        {t("entry.toSignIn")}
      </Link>
    </Sheet>
  );
}

export function StartPage() {
  return <LinkPage kind="start" />;
}

export function InvitePage() {
  return <LinkPage kind="invite" />;
}

export function ReEnrolPage() {
  return <LinkPage kind="re-enrol" />;
}

/** Takes the code from the URL's fragment and removes it from the address before anything is fetched. */
function takeCode(): string {
  const code = location.hash.slice(1);
  if (code !== "") history.replaceState(history.state, "", location.pathname);
  return code;
}

/** The page of a link to a first passkey. Only the first start asks for a name; the other links belong to a known person. */
function LinkPage({ kind }: { readonly kind: LinkKind }) {
  const [code] = useState(takeCode);
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const enter = useEntered();
  const attempt = useAttempt(async () => {
    await acceptLink(kind, { code, name, email });
    await enter();
  });
  const asksName = kind === "start";
  if (!isUsable()) return <Insecure />;
  const look = useQuery({
    queryKey: ["link", code],
    queryFn: () => lookAtLink(code),
    enabled: code !== "",
    retry: false,
    gcTime: 0,
  });
  if (code === "") {
    return (
      <Sheet title={t("entry.noCode")} hint={t("entry.noCodeHint")}>
        {null}
      </Sheet>
    );
  }
  // Where the state cannot be read, the form is shown: its answer tells what is wrong.
  if (look.isPending) return <Skeleton rows={4} />;
  if (look.data !== undefined && look.data !== "OPEN")
    return <Spent kind={kind} state={look.data} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.go();
  };
  const fields = attempt.error === undefined ? {} : toFailure(attempt.error).fields;
  return (
    <Sheet title={t(`entry.${kind}`)} hint={t(`entry.${kind}Hint`)}>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {fields.name === undefined && fields.email === undefined && <Fault error={attempt.error} />}
        {asksName && (
          <TextInput
            label={t("entry.name")}
            value={name}
            onChange={setName}
            error={fields.name}
            autoComplete="name"
            autoFocus
          />
        )}
        <TextInput
          label={t("entry.email")}
          type="email"
          value={email}
          onChange={setEmail}
          error={fields.email}
          autoComplete="email"
          autoFocus={!asksName}
        />
        <Button
          type="submit"
          weight="primary"
          isDisabled={attempt.isBusy || email.trim() === "" || (asksName && name.trim() === "")}
        >
          <KeyRound size={16} aria-hidden />
          {t("entry.makePasskey")}
        </Button>
      </form>
    </Sheet>
  );
}
