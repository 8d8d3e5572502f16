/** The parameter `act` of the URL opens the dialog of an act when its page is shown. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { createContext, use, useState } from "react";

/** False around a repeated button, so that one of the two opens the dialog. */
export const ActInUrlContext = createContext(true);

export interface Opening {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
}

/** Without a name, only its button opens the dialog. */
export function useOpening(name: string | undefined): Opening {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const isHeard = use(ActInUrlContext);
  const [isPressed, setPressed] = useState(false);
  const isAsked = isHeard && name !== undefined && search.act === name;
  return {
    isOpen: isPressed || isAsked,
    open: () => setPressed(true),
    close: () => {
      setPressed(false);
      if (!isAsked) return;
      const { act: _, ...rest } = search;
      void navigate({ to: ".", search: rest as never, replace: true });
    },
  };
}
