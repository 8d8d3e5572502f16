import type { ReactNode } from "react";
import { Button as AriaButton, type PressEvent } from "react-aria-components";
import { classes } from "./classes.ts";

type Weight = "primary" | "plain" | "quiet" | "danger";

const LOOKS: Readonly<Record<Weight, string>> = {
  primary: "bg-accent text-on-accent hover:opacity-90 border border-transparent",
  plain: "bg-ground text-ink border border-strong hover:bg-panel",
  quiet: "text-soft hover:text-ink hover:bg-panel border border-transparent",
  danger: "bg-ground text-bad border border-bad/40 hover:tint-bad",
};

export const buttonLook = (weight: Weight, isSmall = false) =>
  classes(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap",
    "transition-opacity duration-100 disabled:opacity-50 data-[disabled]:opacity-50 data-[disabled]:cursor-default",
    isSmall
      ? "h-7 px-2 text-body pointer-coarse:h-11"
      : "h-8 px-3 text-body pointer-coarse:h-11 max-rail:h-11",
    LOOKS[weight],
  );

export function Button({
  weight = "plain",
  isSmall = false,
  children,
  ...rest
}: {
  readonly weight?: Weight;
  readonly isSmall?: boolean;
  readonly children: ReactNode;
  readonly onPress?: (event: PressEvent) => void;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly type?: "button" | "submit";
  readonly label?: string;
  /** Tells screen readers that the button opens a dialog. */
  readonly opensDialog?: boolean;
  /** Of a switch: whether it is on. */
  readonly isOn?: boolean;
}) {
  const { label, opensDialog, isOn, ...pressed } = rest;
  return (
    <AriaButton
      {...pressed}
      aria-label={label}
      aria-haspopup={opensDialog === true ? "dialog" : undefined}
      aria-pressed={isOn}
      className={buttonLook(weight, isSmall)}
    >
      {children}
    </AriaButton>
  );
}

/** A square button with an icon; the label is its accessible name. */
export function IconButton({
  label,
  children,
  onPress,
  isDisabled,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
}) {
  return (
    <AriaButton
      aria-label={label}
      onPress={onPress}
      isDisabled={isDisabled}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-soft hover:bg-panel hover:text-ink data-[disabled]:opacity-40 pointer-coarse:size-11"
    >
      {children}
    </AriaButton>
  );
}
