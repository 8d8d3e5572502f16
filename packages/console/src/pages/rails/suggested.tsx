/** Suggestions for an item in suspense, each with its reasons. */
import type { Suggestion } from "../../api/desk-operations.ts";
import { type MessageKey, t } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { OutsideWord } from "../../ui/values.tsx";

export function suggestedId({ accountId, quoteId, paymentId }: Suggestion): string | undefined {
  return accountId ?? quoteId ?? paymentId;
}

type Reason = Suggestion["reasons"][number];

const REASONS: Readonly<Record<string, readonly [text: MessageKey, short: MessageKey]>> = {
  NEAR_REFERENCE: ["suggested.NEAR_REFERENCE", "suggested.short.NEAR_REFERENCE"],
  REFERENCE: ["suggested.REFERENCE", "suggested.short.REFERENCE"],
  PAYER_SEEN: ["suggested.PAYER_SEEN", "suggested.short.PAYER_SEEN"],
  CUSTOMER_NAME: ["suggested.CUSTOMER_NAME", "suggested.short.CUSTOMER_NAME"],
  QUOTE_AMOUNT: ["suggested.QUOTE_AMOUNT", "suggested.short.QUOTE_AMOUNT"],
  ORDER_AMOUNT: ["suggested.ORDER_AMOUNT", "suggested.short.ORDER_AMOUNT"],
  NAMED_ORDER: ["suggested.NAMED_ORDER", "suggested.short.NAMED_ORDER"],
  NAMED_ACCOUNT: ["suggested.NAMED_ACCOUNT", "suggested.short.NAMED_ACCOUNT"],
};

const worded =
  (place: 0 | 1) =>
  ({ reason, reference = "", count = 1 }: Reason): string => {
    const key = REASONS[reason]?.[place];
    return key === undefined ? reason : t(key, { reference, count });
  };

/** Why it is suggested, as a sentence without its point. */
export const reasonText = worded(0);
/** The same in a few words, for a row. */
const shortReason = worded(1);

/** What resolving the item so does: `Credit Ana Ruiz`. */
export function suggestedAct({ kind, outcome, customerName, reference }: Suggestion): string {
  const name = customerName ?? reference;
  // The platform's own account has no holder, and a quote of the platform no customer.
  if (name === undefined) return t(kind === "QUOTE" ? "suggested.fundOne" : "suggested.creditOwn");
  if (kind === "ACCOUNT") return t("suggested.credit", { name });
  if (kind === "QUOTE") return t("suggested.fund", { name });
  return t(outcome === "RETURNED" ? "suggested.return" : "suggested.settle", { name });
}

/** A suggestion in a row of the list: the act as a button, and its first reason. */
export function SuggestionLine({
  suggestion,
  onChoose,
}: {
  readonly suggestion: Suggestion;
  /** Absent where the person may not resolve. */
  readonly onChoose: (() => void) | undefined;
}) {
  const [reason] = suggestion.reasons;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {onChoose === undefined ? (
        <OutsideWord text={suggestedAct(suggestion)} />
      ) : (
        <span className="relative z-10 min-w-0 shrink-0">
          <Button isSmall opensDialog onPress={onChoose}>
            <span className="max-w-44 truncate">
              <OutsideWord text={suggestedAct(suggestion)} />
            </span>
          </Button>
        </span>
      )}
      {reason !== undefined && (
        <span className="text-caption whitespace-nowrap text-soft" title={reasonText(reason)}>
          {shortReason(reason)}
        </span>
      )}
    </span>
  );
}

/** All suggestions of an item, in its detail. */
export function Suggestions({
  suggestions,
  onChoose,
}: {
  readonly suggestions: readonly Suggestion[];
  readonly onChoose: ((suggestion: Suggestion) => void) | undefined;
}) {
  return (
    <ul>
      {suggestions.map((suggestion) => (
        <li
          key={suggestedId(suggestion)}
          className="flex items-start justify-between gap-3 border-line border-b py-2"
        >
          <span className="min-w-0">
            <span className="block font-medium">
              <OutsideWord text={suggestedAct(suggestion)} />
            </span>
            {suggestion.reasons.map((reason) => (
              <span key={reason.reason} className="block text-soft">
                <OutsideWord text={reasonText(reason)} />
              </span>
            ))}
          </span>
          {onChoose !== undefined && (
            <Button isSmall opensDialog onPress={() => onChoose(suggestion)}>
              {t("suggested.choose")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
