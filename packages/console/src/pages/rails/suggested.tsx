/** Suggestions for an item in suspense, each with its reasons. */
import type { Suggestion } from "../../api/desk-operations.ts";
import { t } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { OutsideWord } from "../../ui/values.tsx";

export function suggestedId({ accountId, quoteId, paymentId }: Suggestion): string | undefined {
  return accountId ?? quoteId ?? paymentId;
}

/** Why it is suggested, as a sentence without its point. */
export function reasonText({ reason, reference, count }: Suggestion["reasons"][number]): string {
  switch (reason) {
    case "NEAR_REFERENCE":
      return t("suggested.NEAR_REFERENCE", { reference: reference ?? "" });
    case "REFERENCE":
      return t("suggested.REFERENCE", { reference: reference ?? "" });
    case "PAYER_SEEN":
      return t("suggested.PAYER_SEEN", { count: count ?? 1 });
    case "CUSTOMER_NAME":
      return t("suggested.CUSTOMER_NAME");
    case "QUOTE_AMOUNT":
      return t("suggested.QUOTE_AMOUNT");
    case "ORDER_AMOUNT":
      return t("suggested.ORDER_AMOUNT");
    case "NAMED_ORDER":
      return t("suggested.NAMED_ORDER");
    default:
      return t("suggested.NAMED_ACCOUNT");
  }
}

/** What resolving the item so does: `Credit Ana Ruiz`. */
export function suggestedAct({ kind, outcome, customerName, reference }: Suggestion): string {
  const name = customerName ?? reference ?? t("suggested.unnamed");
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
        <span className="max-w-56 truncate text-caption text-soft" title={reasonText(reason)}>
          <OutsideWord text={reasonText(reason)} />
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
