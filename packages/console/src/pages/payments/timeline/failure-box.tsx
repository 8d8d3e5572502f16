/** A failure for the person who has to do something about it: what it means, what helps, and how often it was seen. */
import type { Transaction } from "@florin/client";
import { useNavigate } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import { useMay, usePlatform, useRead } from "../../../api/platform.ts";
import { placeOf } from "../../../std/ids.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { buttonLook } from "../../../ui/button.tsx";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { OutsideText } from "../../../ui/values.tsx";
import { createExternal } from "../../accounts/external-create.ts";
import { PayAnother, SendAgain } from "../new-payment.tsx";
import { actsOf, codeWords, type NextAct } from "./failures.ts";
import type { TimelineAnswer } from "./lines.ts";

type Failure = NonNullable<Transaction["failure"]>;

interface BoxProps {
  readonly payment: Transaction;
  readonly failure: Failure;
  readonly alike: TimelineAnswer["alike"];
}

export function FailureBox({ payment, failure, alike }: BoxProps) {
  const { code, rail, message } = failure;
  const known = rail === undefined ? undefined : codeWords(rail.code);
  const reported =
    rail === undefined ? message : `${message} ${rail.scheme} ${rail.code} ${rail.text}`;
  return (
    <section aria-label={t("payments.failure")} className="mb-3 rounded-panel border border-line">
      <div className="tint-bad rounded-t-panel px-3 py-2 text-body">
        <div className="font-semibold">{wordOf("timelineFailure", code)}</div>
        {known !== undefined && <div>{known}</div>}
      </div>
      <dl className="flex flex-col gap-2 p-3 text-body">
        <div>
          <dt className="text-caption text-soft">{t("timeline.means")}</dt>
          <dd>
            {wordOf("failureMeaning", code)} {seenText(alike)}
          </dd>
        </div>
        <div>
          <dt className="text-caption text-soft">{t("timeline.next")}</dt>
          <dd>{wordOf("failureNext", code)}</dd>
        </div>
        <div>
          <dt className="text-caption text-soft">{t("timeline.cause")}</dt>
          <dd>
            <OutsideText text={reported} />
          </dd>
        </div>
      </dl>
      <Acts payment={payment} acts={actsOf(failure)} />
    </section>
  );
}

/** One failure alone says nothing about the payee. */
function seenText(alike: BoxProps["alike"]): string {
  if (alike === undefined || alike.lookedAt < 2) return "";
  return alike.count < 2
    ? t("timeline.firstSeen", { lookedAt: alike.lookedAt })
    : t("timeline.seen", { count: alike.count, lookedAt: alike.lookedAt });
}

function Acts({
  payment,
  acts,
}: {
  readonly payment: Transaction;
  readonly acts: readonly NextAct[];
}) {
  const mayPay = useMay("payments.create");
  const isOut = payment.type === "OUTGOING";
  const shown = acts.filter((act) => act === "ASK" || act === "CORRECT" || (isOut && mayPay));
  if (shown.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2 px-3 pb-3">
      {shown.map((act) => (
        <ActOf key={act} act={act} payment={payment} />
      ))}
    </div>
  );
}

function ActOf({ act, payment }: { readonly act: NextAct; readonly payment: Transaction }) {
  switch (act) {
    case "AGAIN":
      return <SendAgain payment={payment}>{t("nextAct.AGAIN")}</SendAgain>;
    case "ANOTHER_ACCOUNT":
      return <PayAnother payment={payment}>{t("nextAct.ANOTHER_ACCOUNT")}</PayAnother>;
    case "CORRECT":
      return <RightAccount payment={payment} />;
    case "ASK":
      return <AskCustomer payment={payment} />;
  }
}

/** An account is never changed: the right number is a new account of the customer. */
function RightAccount({ payment }: { readonly payment: Transaction }) {
  const may = useMay("accounts.write");
  const { slug, environment } = usePlatform();
  const navigate = useNavigate();
  if (!may || !payment.customerId.startsWith("Customer:")) return null;
  const spec = createExternal({
    customerId: payment.customerId,
    isSandbox: environment === "SANDBOX",
    onDone: (id) => {
      const place = placeOf(id);
      if (place !== undefined) void navigate({ to: `/p/${slug}/${place}` });
    },
  });
  return <ActButton spec={spec}>{t("nextAct.CORRECT")}</ActButton>;
}

/** A mail to the customer; the customer's page, where the reader may not see the address or there is none. */
function AskCustomer({ payment }: { readonly payment: Transaction }) {
  const { customerId } = payment;
  if (!customerId.startsWith("Customer:")) return null;
  return <AskBy payment={payment} customerId={customerId} />;
}

const ADDRESS = /^[^\s@\u2022\u2026*]+@[^\s@]+\.[^\s@]+$/;

function AskBy({
  payment,
  customerId,
}: {
  readonly payment: Transaction;
  readonly customerId: string;
}) {
  const { data } = useRead<"getCustomer">({ method: "GET", path: ["customers", customerId] });
  const email = data?.email ?? "";
  const label = t("nextAct.ASK");
  if (!ADDRESS.test(email)) {
    return (
      <PlaceLink place={`customers/${customerId}`} className={buttonLook("plain")}>
        {label}
      </PlaceLink>
    );
  }
  const why = wordOf("timelineFailure", payment.failure?.code ?? "UNKNOWN");
  const reference = payment.reference ?? payment.description ?? "";
  const subject = encodeURIComponent(t("nextAct.mailSubject", { reference }));
  const body = encodeURIComponent(t("nextAct.mailBody", { why }));
  return (
    <a
      href={`mailto:${encodeURIComponent(email)}?subject=${subject}&body=${body}`}
      className={buttonLook("plain")}
    >
      {label}
    </a>
  );
}
