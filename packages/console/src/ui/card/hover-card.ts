/**
 * Opens an object's card after its link was hovered, or focused by keyboard, for 400 ms. The pointer may move onto the card. Touch
 * opens no card. React Aria drops its delay after the first card, which would load every object that the pointer passes over.
 */
import {
  type ComponentType,
  createContext,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useTooltipTrigger } from "react-aria";
import { usePlatform } from "../../api/platform.ts";
import { readId } from "../../std/ids.ts";

const OPEN_MS = 400;
const CLOSE_MS = 150;

export interface CardState {
  readonly isOpen: boolean;
  readonly shouldSkipAnimation: boolean;
  open(): void;
  close(isAtOnce?: boolean): void;
}

export interface CardProps {
  readonly id: string;
  readonly state: CardState;
  readonly tooltipId: string | undefined;
  readonly triggerRef: RefObject<HTMLAnchorElement | null>;
}

/** The component that renders a card. The application provides it, because it belongs to the pages. */
export const CardContext = createContext<ComponentType<CardProps> | undefined>(undefined);

/** The kinds with a card, and the capability that each requires. An approval requires none: the people concerned may read it. */
const READ_BY: Readonly<Record<string, string | undefined>> = {
  Approval: undefined,
  PaymentBatch: "payments.read",
  PaymentSchedule: "payments.read",
  Transaction: "payments.read",
  Customer: "customers.read",
  InternalAccount: "accounts.read",
  ExternalAccount: "accounts.read",
  LedgerAccount: "ledger.read",
  Quote: "quotes.read",
  Hold: "payments.read",
  Webhook: "events.read",
  WebhookEndpoint: "webhooks.read",
  WebhookDelivery: "deliveries.read",
  RequestLog: "logs.read",
  Agent: "agents.read",
  Invitation: "invitations.read",
  RailConnection: "rails.read",
  RailPayment: "rails.read",
  RailItem: "rails.read",
  RailMark: "rails.read",
  RailEntry: "rails.read",
  RailReceivable: "rails.read",
  Verification: "customers.read",
};

export function useHasCard(id: string): boolean {
  const { capabilities } = usePlatform();
  const kind = readId(id)?.kind ?? "";
  if (!Object.hasOwn(READ_BY, kind)) return false;
  const capability = READ_BY[kind];
  return capability === undefined || capabilities.includes(capability);
}

export function useCardTrigger(hasCard: boolean) {
  const ref = useRef<HTMLAnchorElement>(null);
  const state = useCardState();
  const { triggerProps, tooltipProps } = useTooltipTrigger({ isDisabled: !hasCard }, state, ref);
  return { ref, state, triggerProps, tooltipId: tooltipProps.id };
}

/** Closes the open card; opening a second card calls it. */
let closeOpen: (() => void) | undefined;

function useCardState(): CardState {
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => {
    if (closeOpen !== hide) closeOpen?.();
    closeOpen = hide;
    setOpen(true);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  return {
    isOpen,
    shouldSkipAnimation: true,
    open() {
      clearTimeout(timer.current);
      if (!isOpen) timer.current = setTimeout(show, OPEN_MS);
    },
    close(isAtOnce = false) {
      clearTimeout(timer.current);
      if (isAtOnce) hide();
      else timer.current = setTimeout(hide, CLOSE_MS);
    },
  };
}
