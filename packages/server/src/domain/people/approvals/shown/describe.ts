/** The one description of an order, from its content and from what was known at that moment. */
import { isJsonObject, type Json, type JsonObject, textOrUndefined } from "../../../../std/json.ts";
import { type AgentPolicy, mergePolicy, type PolicyChanges } from "../../../agents/agent-policy.ts";
import { batchFacts, type ShownBatch } from "./batch.ts";
import { changeFacts, memberFacts, type Names } from "./members.ts";
import type { Shown, ShownFact } from "./shown.ts";
import { type Side, sideFacts } from "./sides.ts";
import { type AskerHistory, type UsualAmounts, warningsOf } from "./warnings.ts";
import { amountOf, momentOf } from "./words.ts";

export interface ShownAmount {
  readonly minor: bigint;
  readonly currency: string;
}

export interface Asker extends AskerHistory {
  /** A wire id. */
  readonly id: string;
  readonly name: string;
  /** How the order was asked for, in words. */
  readonly by: string;
}

/** An order that moves money. */
export interface ShownPayment {
  readonly from?: Side;
  readonly to?: Side;
  /** Undefined for an account to be added, which moves nothing. */
  readonly sends?: ShownAmount;
  /** What the payee gets, where it is another amount. */
  readonly receives?: ShownAmount;
  /** The rate, such as `1 EUR = 1.085 USD`. */
  readonly rate?: string;
  /** How far the price may move until the order is carried out. */
  readonly bound?: string;
  readonly usual?: UsualAmounts;
  readonly legs?: readonly ShownLeg[];
  /** Of a capture, whose amount is held already: what becomes available to the payer by it. */
  readonly freedMinor?: bigint;
}

/** A leg of a transfer of several legs. */
export interface ShownLeg {
  /** The wire ids of the accounts. */
  readonly from: string;
  readonly to: string;
  readonly sends: ShownAmount;
  /** Its other members, such as its description. */
  readonly rest: JsonObject;
}

/** What was known when the order was shown. */
export interface Surroundings {
  readonly now: number;
  readonly askedAt: number;
  readonly names: Names;
  readonly asker: Asker;
  /** The platform that the order is about, or the workspace. */
  readonly place: string;
  readonly payment?: ShownPayment;
  /** Of a batch of payments. */
  readonly batch?: ShownBatch;
  /** What the order replaces, where the content does not have it, and by what. */
  readonly change?: { readonly before: JsonObject; readonly after: JsonObject };
}

export interface ShownOrder {
  readonly act: string;
  readonly content: JsonObject;
}

interface View {
  readonly title: string;
  /** The facts of the act's own. */
  facts?(content: JsonObject, at: Surroundings): readonly ShownFact[];
  /** Members of the content that `facts` shows. Every other member is shown as it is. */
  readonly used?: readonly string[];
}

const SIDES = ["source", "destination", "amount", "currency"];

const payment = (title: string, used: readonly string[] = SIDES): View => ({
  title,
  facts: (content, at) => [...paymentFacts(at), ...railFact(content)],
  used,
});

const change = (title: string, used: readonly string[]): View => ({
  title,
  facts: (_, { change: { before, after } = { before: {}, after: {} }, names }) =>
    changeFacts(before, after, names),
  used,
});

const unfreeze: View = {
  title: "End of a freeze",
  facts: ({ frozen }, { names }) => changeFacts(objectOf(frozen), {}, names),
  used: ["frozen"],
};

const freeze: View = {
  title: "A freeze that no longer stops credits",
  facts({ frozen, reason = null, scope = null }, { names }) {
    const { since: _, ...before } = objectOf(frozen);
    return changeFacts(before, { reason, scope }, names);
  },
  used: ["frozen", "reason", "scope"],
};

const QUOTED = [
  ...["quoteId", "source", "destination", "lockedCurrencySide", "lockedCurrencyAmount"],
  ...["sendingCurrency", "receivingCurrency", "minReceived", "maxSent"],
];

/** Members of a connection that the order has as they were. */
const SHOWN_OF_CONNECTION = ["name", "currencies", "account", "settings", "control"];

/** By the operation that was asked for. */
const VIEWS: Readonly<Record<string, View>> = {
  createAdjustment: {
    title: "Adjustment of a balance",
    facts: (_, at) => paymentFacts(at),
    used: ["accountId", "amount", "currency"],
  },
  transferOut: payment("Transfer out"),
  transferIn: payment("Transfer in"),
  createTransfer: {
    title: "Book transfer",
    facts: (_, at) => [...paymentFacts(at), ...legFacts(at)],
    used: [...SIDES, "legs"],
  },
  refundTransaction: payment("Refund", ["amount", "transactionId"]),
  createPaymentBatch: {
    title: "Batch of payments",
    facts: ({ scheduledFor }, { batch, names }) => [
      ...(batch === undefined ? [] : batchFacts(batch, names)),
      ...orderFact("scheduledFor", "Runs at", timeIn(scheduledFor)),
    ],
    used: ["items", "scheduledFor"],
  },
  captureHold: payment("Capture of a hold", [...SIDES, "holdId"]),
  executeQuote: payment("Execution of a quote", QUOTED),
  createPaymentSchedule: scheduleView("New payment schedule"),
  updatePaymentSchedule: {
    title: "Change of a payment schedule",
    facts({ before: shown, scheduleId: _, ...sent }, at) {
      const before = objectOf(shown);
      return [
        ...orderFact("schedule", "Schedule", textOrUndefined(before.name)),
        ...paymentFacts(at),
        ...changeFacts(before, { ...before, ...sent }, at.names),
      ];
    },
    used: ["before", "scheduleId", "name", "template", "rule", "retry"],
  },
  runPaymentSchedule: scheduleView("One more run of a payment schedule"),
  createToken: { title: "API token", used: ["clientId", "secretHash"] },
  createCustomerExternalAccount: payment("New external account", ["customerId"]),
  createPlatformExternalAccount: payment("New external account of the platform", []),
  updateAgentPolicy: {
    title: "Change of an agent's policy",
    facts: ({ before, changes }, { names }) =>
      changeFacts(objectOf(before), changedPolicy(objectOf(before), objectOf(changes)), names),
    used: ["before", "changes"],
  },
  updateAgent: {
    title: "An agent goes on after a pause",
    facts: ({ isPaused = false }, { names }) =>
      changeFacts({ isPaused: true }, { isPaused }, names),
    used: ["isPaused"],
  },
  createAgentDeviceCode: { title: "Device code for an agent" },
  createAgent: { title: "New agent" },
  unfreezeCustomer: unfreeze,
  unfreezeInternalAccount: unfreeze,
  freezeCustomer: freeze,
  freezeInternalAccount: freeze,
  decideVerification: { title: "Approval after a rejection" },
  updatePerson: change("Change of a person", ["roles", "isSuspended"]),
  removePerson: change("Removal of a person", []),
  createInvite: { title: "Invitation of a person" },
  reEnrolPerson: change("New sign-in link for a person", []),
  updateSso: {
    title: "Change of single sign-on",
    facts: ({ before, ...after }, { names }) => changeFacts(objectOf(before), after, names),
    used: ["before", "names", "isRequired", "issuers"],
  },
  setPolicy: change("Change of what waits for other people", ["rules"]),
  createRailConnection: { title: "New rail connection" },
  updateRailConnection: {
    title: "Change of a rail connection",
    facts: ({ before, connectionId: _, secrets, ...sent }, { names }) => [
      ...changeFacts(withoutSecrets(before), changedConnection(before, sent), names),
      ...memberFacts("CHANGE", withoutNulls(secrets), names),
    ],
    used: ["before", "secrets", ...SHOWN_OF_CONNECTION],
  },
  activateRailConnection: {
    title: "Activation of a rail connection",
    facts: ({ connection }, { names }) => memberFacts("ORDER", withoutSecrets(connection), names),
    used: ["connection"],
  },
  createRailRoute: routeView("New route of payments", []),
  updateRailRoute: routeView("Change of a route of payments", [
    ...["name", "priority", "accountTypes", "paymentRails", "minAmount", "maxAmount"],
    ...["connectionId", "enabled", "fallbackAfterSeconds"],
  ]),
  setFees: change("Change of fees", ["rules"]),
  setSpreads: change("Change of spreads", ["spreads"]),
  setFxLimits: change("Change of limits of positions", ["limits"]),
};

/** The operations whose orders can be shown. */
export const shownActs: readonly string[] = Object.keys(VIEWS);

export function titleOf(act: string): string {
  return VIEWS[act]?.title ?? act;
}

/** Members that say why; every order shows them together. */
const REASONS = [
  ...["reasonCode", "reason", "note", "description", "remittanceInformation"],
  ...["purposeOfPayment", "documentId", "rejection"],
];

/** An order of an act that is not in the table shows every member of its content. */
export function describeOrder({ act, content }: ShownOrder, at: Surroundings): Shown {
  return describeBy(VIEWS[act] ?? { title: act }, content, at);
}

export const AGENT_ORDER_TITLE = "Order of an agent";

/** An order of an agent that waits for a person. It moves money as the agent's policy lets it. */
export function describeAgentOrder(content: JsonObject, at: Surroundings): Shown {
  return describeBy(payment(AGENT_ORDER_TITLE, QUOTED), content, at);
}

function describeBy(view: View, content: JsonObject, at: Surroundings): Shown {
  const { title, facts, used = [] } = view;
  const rest = Object.entries(content).filter(([name]) => !used.includes(name));
  const [why, other] = [true, false].map((isReason) =>
    Object.fromEntries(rest.filter(([name]) => REASONS.includes(name) === isReason)),
  );
  return {
    title,
    facts: [
      ...(facts?.(content, at) ?? []),
      ...memberFacts("ORDER", other ?? {}, at.names, currencyBeside(content)),
      ...askerFacts(at),
      ...memberFacts("WHY", why ?? {}, at.names),
    ],
    warnings: warningsOf({ ...at, ...at.payment }),
  };
}

/** The currency of amounts among the other members. */
function currencyBeside({ currency }: JsonObject): string | undefined {
  return typeof currency === "string" ? currency : undefined;
}

function paymentFacts({ payment: paid }: Surroundings): readonly ShownFact[] {
  if (paid === undefined) return [];
  const { from, to, sends, receives = sends, rate, bound, freedMinor } = paid;
  return [
    ...orderFact("amount", "Amount", sends && amountOf(sends.minor, sends.currency)),
    ...(receives === sends
      ? []
      : orderFact(
          "receives",
          "Payee gets",
          receives && amountOf(receives.minor, receives.currency),
        )),
    ...orderFact("rate", "Rate", rate),
    ...orderFact("bound", "Price may move", bound),
    ...(to === undefined ? [] : sideFacts("PAYEE", to, receives?.minor ?? 0n)),
    ...(from === undefined ? [] : sideFacts("FROM", from, freedMinor ?? -(sends?.minor ?? 0n))),
  ];
}

/** The payment of a schedule is its template. */
function scheduleView(title: string): View {
  return {
    title,
    facts({ template }, at) {
      const { kind: _, source: _from, destination, amount: _sent, ...rest } = objectOf(template);
      const rail = destination === undefined ? [] : railFact({ destination });
      return [...paymentFacts(at), ...rail, ...memberFacts("ORDER", rest, at.names)];
    },
    used: ["template", "scheduleId", "currency"],
  };
}

/** The sums, and each leg with its accounts by name. */
function legFacts({ payment: { legs = [] } = {}, names }: Surroundings): readonly ShownFact[] {
  const sums = new Map<string, bigint>();
  for (const { sends } of legs) {
    sums.set(sends.currency, (sums.get(sends.currency) ?? 0n) + sends.minor);
  }
  const total = [...sums].map(([currency, minor]) => amountOf(minor, currency)).join(" + ");
  return [
    ...orderFact("amount", "Amount", legs.length === 0 ? undefined : total),
    ...legs.flatMap(({ from, to, sends, rest }, place) => {
      const key = `legs.${place}`;
      const label = `Leg ${place + 1}`;
      return [
        ...orderFact(key, label, amountOf(sends.minor, sends.currency)),
        accountFact(`${key}.from`, `${label} from`, names.get(from) ?? from),
        accountFact(`${key}.to`, `${label} to`, names.get(to) ?? to),
        ...memberFacts("ORDER", rest, names).map((fact) => ({
          ...fact,
          key: `${key}.${fact.key}`,
          label: `${label} ${fact.label.toLowerCase()}`,
        })),
      ];
    }),
  ];
}

function accountFact(key: string, label: string, personal: string): ShownFact {
  return { key, group: "ORDER", label, personal };
}

function orderFact(key: string, label: string, value: string | undefined): readonly ShownFact[] {
  return value === undefined ? [] : [{ key, group: "ORDER", label, value }];
}

function timeIn(text: Json | undefined): string | undefined {
  return typeof text === "string" ? momentOf(Date.parse(text.toUpperCase())) : undefined;
}

function railFact({ destination }: JsonObject): readonly ShownFact[] {
  const { paymentRail } = objectOf(destination);
  return orderFact("rail", "Rail", typeof paymentRail === "string" ? paymentRail : undefined);
}

function askerFacts({ asker, askedAt, place }: Surroundings): readonly ShownFact[] {
  const { id, name, by } = asker;
  return [
    { key: "place", group: "ORDER", label: "Platform", value: place },
    { key: "asker.name", group: "WHY", label: "Asked by", value: name, id },
    { key: "asker.by", group: "WHY", label: "Asked with", value: by },
    { key: "asker.at", group: "WHY", label: "Asked at", value: momentOf(askedAt) },
  ];
}

function routeView(title: string, used: readonly string[]): View {
  return {
    title,
    facts: ({ connection }, { change: replaced, names }) => [
      ...(replaced === undefined ? [] : changeFacts(replaced.before, replaced.after, names)),
      ...memberFacts("ORDER", { connection: withoutSecrets(connection) }, names),
    ],
    used: [...used, "connection"],
  };
}

/** The policy after the change. Limits that a change of the currency does not name are converted when it is carried out. */
function changedPolicy(before: JsonObject, changes: JsonObject): JsonObject {
  const merged = mergePolicy(
    before as unknown as AgentPolicy,
    changes as unknown as PolicyChanges,
  ) as unknown as JsonObject;
  const [old, sent, limits] = [before, changes, merged].map(({ spendingLimits }) =>
    objectOf(spendingLimits),
  );
  if (old === undefined || sent === undefined || limits === undefined) return merged;
  if (sent.currency === undefined || sent.currency === old.currency) return merged;
  const converted = Object.entries(limits)
    .filter(([name, value]) => typeof value === "number" && name.endsWith("Limit"))
    .filter(([name]) => name !== "dailyTransactionLimit" && sent[name] === undefined)
    .map(([name]) => [name, "Converted at the rate of that moment"]);
  return { ...merged, spendingLimits: { ...limits, ...Object.fromEntries(converted) } };
}

/** The connection after the change, as far as the order has it as it was. The other members are shown as they were sent. */
function changedConnection(shown: Json | undefined, sent: JsonObject): JsonObject {
  const before = withoutSecrets(shown);
  const parts = SHOWN_OF_CONNECTION.filter((name) => sent[name] !== undefined).map((name) => {
    const value = sent[name] as Json;
    return [name, isJsonObject(value) ? { ...objectOf(before[name]), ...value } : value];
  });
  return { ...before, ...Object.fromEntries(parts) };
}

/** The secrets of a connection are shown as fingerprints, which say nothing to a person. */
function withoutSecrets(connection: Json | undefined): JsonObject {
  const { secrets: _, ...shown } = objectOf(connection);
  return shown;
}

function withoutNulls(members: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(members)).filter(([, one]) => one !== null));
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
