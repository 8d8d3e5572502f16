/** What is shown of an order: the facts that the passkey signs, each with its words as the server made them. */
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Shown, ShownFact } from "../../../api/approval-operations.ts";
import { Section } from "../../../detail/facts.tsx";
import { placeOf } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { SignedText } from "../../../ui/values.tsx";

/** In the order of the page. */
const GROUPS = ["PAYEE", "CHANGE", "FROM", "ORDER", "WHY"] as const;

/** Facts that the head shows. */
const HEAD: readonly string[] = ["amount", "receives", "rate"];

function factOf({ facts }: Shown, ...keys: readonly string[]): ShownFact | undefined {
  return facts.find(({ key }) => keys.includes(key));
}

function Value({ fact }: { readonly fact: ShownFact }) {
  return <SignedText text={fact.value ?? fact.personal ?? ""} />;
}

/** The amount; for an order without one, what it is. */
export function ShownLead({ shown }: { readonly shown: Shown }) {
  const amount = factOf(shown, "amount");
  return amount === undefined ? (
    <SignedText text={shown.title} />
  ) : (
    <span className="tabular-nums">
      <Value fact={amount} />
    </span>
  );
}

export function hasAmount(shown: Shown): boolean {
  return factOf(shown, "amount") !== undefined;
}

/** What it is, whom it is for and who asked, in as many lines. */
export function ShownSummary({ shown }: { readonly shown: Shown }) {
  const [receives, rate] = [factOf(shown, "receives"), factOf(shown, "rate")];
  const payee = factOf(shown, "payee.name");
  const asker = factOf(shown, "asker.name");
  return (
    <div className="flex flex-col gap-0.5 text-form text-soft">
      {hasAmount(shown) && (
        <p>
          <SignedText text={shown.title} />
          {[receives, rate].map(
            (fact) =>
              fact !== undefined && (
                <span key={fact.key}>
                  {" · "}
                  {fact.label} <Strong fact={fact} />
                </span>
              ),
          )}
        </p>
      )}
      {payee !== undefined && (
        <p>
          {t("approvals.to")} <Strong fact={payee} />
          <PayeeAccount shown={shown} />
        </p>
      )}
      {asker !== undefined && (
        <p>
          {asker.label} <Strong fact={asker} />
        </p>
      )}
    </div>
  );
}

function Strong({ fact }: { readonly fact: ShownFact }) {
  return (
    <span className="font-medium text-ink">
      <Value fact={fact} />
    </span>
  );
}

function PayeeAccount({ shown }: { readonly shown: Shown }) {
  const parts = ["payee.lastFour", "payee.country"].flatMap((key) => factOf(shown, key) ?? []);
  return parts.map((fact) => (
    <span key={fact.key}>
      {" · "}
      <Value fact={fact} />
    </span>
  ));
}

export function Warnings({ shown: { warnings } }: { readonly shown: Shown }) {
  if (warnings.length === 0) return null;
  return (
    <ul aria-label={t("approvals.warnings")} className="tint-wait mb-2 rounded-control p-3">
      {warnings.map(({ key, text }) => (
        <li key={key} className="flex items-start gap-2 py-0.5 text-form text-ink">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          <SignedText text={text} />
        </li>
      ))}
    </ul>
  );
}

/** Every fact that the head does not show, by what it is about. */
export function ShownFacts({ shown, isHere }: { readonly shown: Shown; readonly isHere: boolean }) {
  return GROUPS.map((group) => {
    const facts = shown.facts.filter((fact) => fact.group === group && !HEAD.includes(fact.key));
    if (facts.length === 0) return null;
    return (
      <Section key={group} title={t(`approvals.group.${group}`)}>
        <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-6 text-body">
          {facts.map((fact) => (
            <div
              key={fact.key}
              className="col-span-2 grid grid-cols-subgrid border-line border-b py-1.5"
            >
              <dt className="text-soft">
                <SignedText text={fact.label} />
              </dt>
              <dd className="min-w-0 text-end text-ink">
                <FactValue fact={fact} isHere={isHere} />
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    );
  });
}

function FactValue({ fact, isHere }: { readonly fact: ShownFact; readonly isHere: boolean }) {
  const before = fact.before ?? fact.personalBefore;
  if (before !== undefined)
    return (
      <>
        <span className="text-soft">
          <SignedText text={before} />
        </span>
        {" \u2192 "}
        <Strong fact={fact} />
      </>
    );
  return <Linked id={isHere ? fact.id : undefined}>{<Value fact={fact} />}</Linked>;
}

/** Objects of another platform have no page here. */
function Linked({
  id,
  children,
}: {
  readonly id: string | undefined;
  readonly children: ReactNode;
}) {
  if (id === undefined) return children;
  const place = id.startsWith("Person:") ? `team/${id}` : placeOf(id);
  if (place === undefined) return children;
  return (
    <PlaceLink place={place} className="text-accent hover:underline">
      {children}
    </PlaceLink>
  );
}
