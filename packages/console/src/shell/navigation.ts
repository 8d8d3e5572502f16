/** The places of a platform, in the order of the navigation. Incomplete pages are not listed. */
import {
  Activity,
  ArrowLeftRight,
  AtSign,
  BadgeCheck,
  BookOpen,
  Bot,
  Calculator,
  CalendarClock,
  CircleDollarSign,
  FlaskConical,
  Gift,
  House,
  KeyRound,
  Landmark,
  ListChecks,
  ListTree,
  Lock,
  type LucideIcon,
  Radio,
  ScrollText,
  Server,
  Settings,
  Stamp,
  TrainFront,
  UserRoundCog,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { MessageKey } from "../text/messages.ts";

export interface Place {
  readonly path: string;
  readonly title: MessageKey;
  readonly icon: LucideIcon;
  /** The capability that reading the place requires. */
  readonly capability: string;
  /** The key that opens the place after `g`. */
  readonly key?: string;
  readonly isSandboxOnly?: boolean;
}

export interface PlaceGroup {
  readonly title: MessageKey | undefined;
  readonly places: readonly Place[];
}

/** The link to this place shows the number of orders for the person. */
export const APPROVALS = "approvals";

export const placeGroups: readonly PlaceGroup[] = [
  {
    title: undefined,
    places: [
      { path: "home", title: "home.title", icon: House, capability: "overview.read", key: "h" },
      {
        path: "payments",
        title: "payments.title",
        icon: ArrowLeftRight,
        capability: "payments.read",
        key: "p",
      },
      { path: "batches", title: "batches.title", icon: ListChecks, capability: "payments.read" },
      {
        path: "schedules",
        title: "schedules.title",
        icon: CalendarClock,
        capability: "payments.read",
      },
      {
        path: APPROVALS,
        title: "approvals.title",
        icon: Stamp,
        capability: "payments.read",
      },
      {
        path: "customers",
        title: "customers.title",
        icon: Users,
        capability: "customers.read",
        key: "c",
      },
      {
        path: "verifications",
        title: "cases.title",
        icon: BadgeCheck,
        capability: "verifications.decide",
      },
      {
        path: "accounts",
        title: "accounts.title",
        icon: Wallet,
        capability: "accounts.read",
        key: "a",
      },
      {
        path: "external-accounts",
        title: "external.title",
        icon: Landmark,
        capability: "accounts.read",
      },
      {
        path: "quotes",
        title: "quotes.title",
        icon: CircleDollarSign,
        capability: "quotes.read",
      },
      { path: "holds", title: "holds.title", icon: Lock, capability: "payments.read" },
      { path: "rates", title: "rates.title", icon: Calculator, capability: "rates.read" },
      { path: "agents", title: "agents.title", icon: Bot, capability: "agents.read" },
      {
        path: "invitations",
        title: "invitations.title",
        icon: Gift,
        capability: "invitations.read",
      },
    ],
  },
  {
    title: "nav.books",
    places: [
      { path: "ledger", title: "ledger.title", icon: BookOpen, capability: "ledger.read" },
      { path: "postings", title: "postings.title", icon: ListTree, capability: "ledger.read" },
      { path: "rails", title: "rails.title", icon: TrainFront, capability: "rails.read" },
      { path: "uma", title: "uma.title", icon: AtSign, capability: "settings.read" },
    ],
  },
  {
    title: "nav.developers",
    places: [
      {
        path: "webhooks",
        title: "webhooks.title",
        icon: Webhook,
        capability: "webhooks.read",
        key: "w",
      },
      { path: "events", title: "events.title", icon: Radio, capability: "events.read", key: "e" },
      {
        path: "requests",
        title: "requests.title",
        icon: ScrollText,
        capability: "logs.read",
        key: "l",
      },
      { path: "api-keys", title: "keys.title", icon: KeyRound, capability: "tokens.read" },
      {
        path: "sandbox",
        title: "sandbox.title",
        icon: FlaskConical,
        capability: "sandbox.use",
        isSandboxOnly: true,
      },
    ],
  },
  {
    title: "nav.workspace",
    places: [
      { path: "settings", title: "settings.title", icon: Settings, capability: "settings.read" },
      { path: "team", title: "team.title", icon: UserRoundCog, capability: "people.read" },
      { path: "audit", title: "audit.title", icon: Activity, capability: "audit.read" },
    ],
  },
  {
    title: "nav.deployment",
    places: [{ path: "system", title: "system.title", icon: Server, capability: "system.read" }],
  },
];

/** The places that a person with these capabilities may open on this platform. */
export function placesFor(
  capabilities: readonly string[],
  environment: string,
): readonly PlaceGroup[] {
  return placeGroups
    .map(({ title, places }) => ({
      title,
      places: places.filter(
        ({ capability, isSandboxOnly }) =>
          capabilities.includes(capability) &&
          (isSandboxOnly !== true || environment === "SANDBOX"),
      ),
    }))
    .filter(({ places }) => places.length > 0);
}
