import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

export interface MenuChoice {
  readonly id: string;
  readonly label: ReactNode;
  readonly text: string;
  readonly onAction: () => void;
  readonly isDanger?: boolean;
  readonly isCurrent?: boolean;
}

/** A menu: the trigger is the caller's own button, and the choices are in a popover. */
export function Menu({
  label,
  trigger,
  choices,
}: {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly choices: readonly MenuChoice[];
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="min-w-48 max-w-80 overflow-auto rounded-panel border border-line bg-raised p-1 shadow-raised">
        <AriaMenu aria-label={label} className="outline-none">
          {choices.map((choice) => (
            <MenuItem
              key={choice.id}
              id={choice.id}
              textValue={choice.text}
              onAction={choice.onAction}
              className={`flex min-h-8 cursor-default items-center justify-between gap-3 rounded-control px-2 py-1 text-body data-[focused]:bg-panel pointer-coarse:min-h-11 ${choice.isDanger === true ? "text-bad" : ""} ${choice.isCurrent === true ? "font-semibold" : ""}`}
            >
              {choice.label}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
