/** The acts that the palette opens by their names. An act on an object is typed with a text that finds the object. */
import type { MessageKey } from "../text/messages.ts";

export interface PaletteAct {
  /** The parameter `act` of the page, which opens the dialog. */
  readonly act: string;
  readonly title: MessageKey;
  readonly capability: string;
  /** The list that has the act; absent for an act on an object. */
  readonly place?: string;
  /** The kinds of objects that the act is for. */
  readonly kinds?: readonly string[];
}

export const paletteActs: readonly PaletteAct[] = [
  { act: "new", title: "payments.new", capability: "payments.create", place: "payments" },
  { act: "new", title: "customers.new", capability: "customers.write", place: "customers" },
  {
    act: "new",
    title: "external.new",
    capability: "external-accounts.write",
    place: "external-accounts",
  },
  { act: "new", title: "agents.new", capability: "agents.write", place: "agents" },
  { act: "new", title: "webhooks.new", capability: "webhooks.write", place: "webhooks" },
  { act: "new", title: "keys.new", capability: "tokens.write", place: "api-keys" },
  {
    act: "refund",
    title: "payments.refund",
    capability: "payments.create",
    kinds: ["Transaction"],
  },
  {
    act: "again",
    title: "payments.sendAgain",
    capability: "payments.create",
    kinds: ["Transaction"],
  },
  { act: "freeze", title: "freeze.freeze", capability: "customers.freeze", kinds: ["Customer"] },
  {
    act: "unfreeze",
    title: "freeze.unfreeze",
    capability: "customers.unfreeze",
    kinds: ["Customer"],
  },
  { act: "edit", title: "act.edit", capability: "customers.write", kinds: ["Customer"] },
  { act: "link", title: "customers.link", capability: "customers.write", kinds: ["Customer"] },
  { act: "submit", title: "customers.submit", capability: "customers.write", kinds: ["Customer"] },
  { act: "delete", title: "act.delete", capability: "customers.write", kinds: ["Customer"] },
];
