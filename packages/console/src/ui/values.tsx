/** Components that show amounts, times and texts from outside in the same way on every page. */
import { useState } from "react";
import { shorten, visibleText } from "../std/outside-text.ts";
import { t } from "../text/messages.ts";
import { type AmountLike, amountText } from "../text/money.ts";
import { dayText, exactTime, shortTime, utcTime } from "../text/time.ts";
import { classes } from "./classes.ts";

export function Amount({
  amount,
  sign,
  isStrong = false,
}: {
  readonly amount: AmountLike;
  /** The direction of a change; incoming amounts get a plus. */
  readonly sign?: "plus" | "minus" | undefined;
  readonly isStrong?: boolean;
}) {
  const { number, code } = amountText(amount);
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className={classes("text-ink", isStrong && "font-semibold")}>
        {sign === "minus" && number !== "0" ? "\u2212" : ""}
        {sign === "plus" ? "+" : ""}
        {number}
      </span>{" "}
      <span className="text-soft">{code}</span>
    </span>
  );
}

/** Shows a time, relative to now within a day. The exact time and UTC are in the tooltip. */
export function Time({
  at,
  isExact = false,
  isOfServer = false,
}: {
  readonly at: string;
  readonly isExact?: boolean;
  /** The time comes from the server's clock. Those of a sandbox's objects come from the sandbox's. */
  readonly isOfServer?: boolean;
}) {
  return (
    <time
      dateTime={at}
      title={`${exactTime(at)}\n${utcTime(at)}`}
      className="whitespace-nowrap tabular-nums"
    >
      {isExact ? exactTime(at) : shortTime(at, isOfServer)}
    </time>
  );
}

/** Shows a day, which has no time: it is never counted in hours. */
export function Day({ on }: { readonly on: string }) {
  return (
    <time dateTime={on} className="whitespace-nowrap tabular-nums">
      {dayText(on)}
    </time>
  );
}

/** Shows a text from outside: never as markup, isolated in its direction, with a maximum length. */
export function OutsideText({
  text,
  isLine = false,
}: {
  readonly text: string;
  /** Keeps the text on one line, which the column truncates. */
  readonly isLine?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const { shown, isCut } = shorten(visibleText(text));
  if (isLine)
    return (
      <bdi className="block truncate text-match-parent" title={shown}>
        {shown}
      </bdi>
    );
  return (
    <span>
      <bdi className="whitespace-pre-wrap">{isOpen ? visibleText(text) : shown}</bdi>
      {isCut && (
        <button
          type="button"
          className="ms-1 text-accent hover:underline"
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? "text.less" : "text.more")}
        </button>
      )}
    </span>
  );
}

/** A text that people sign: as the text from outside, and never shortened. */
export function SignedText({ text }: { readonly text: string }) {
  return <bdi className="break-words whitespace-pre-wrap">{visibleText(text)}</bdi>;
}

/** The same for a name within a sentence. */
export function OutsideWord({ text }: { readonly text: string }) {
  return <bdi>{shorten(visibleText(text)).shown}</bdi>;
}

export function Missing() {
  return <span className="text-soft">{"\u2013"}</span>;
}
