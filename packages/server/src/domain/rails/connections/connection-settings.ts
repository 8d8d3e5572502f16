/** Which settings, secrets and account fields each kind of connection has, what it needs to be active, and what it then carries. */
import type { FieldError } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type {
  Capability,
  ConnectionKind,
  ConnectionSettings,
  ConnectorFeatures,
  RailConnection,
  SecretName,
} from "./rail-connection.ts";
import { paymentDirections } from "./rail-connection.ts";

interface KindRule {
  readonly settings: readonly (keyof ConnectionSettings)[];
  readonly secrets: readonly SecretName[];
  /** Without these it cannot be activated, in the order in which they are named. */
  readonly needed: readonly ((connection: RailConnection) => string | undefined)[];
}

const hasSetting = (name: keyof ConnectionSettings) => (connection: RailConnection) => {
  const value = connection.settings[name];
  const isThere = Array.isArray(value) ? value.length > 0 : value !== undefined;
  return isThere ? undefined : `settings.${name}`;
};

const hasSecret = (name: SecretName) => (connection: RailConnection) =>
  connection.secretFacts[name] === undefined ? `secrets.${name}` : undefined;

const hasHolder = ({ account }: RailConnection) =>
  typeof account.holderName === "string" ? undefined : "account.holderName";

/** The members of `account` of which at least one must identify the account. */
const ACCOUNT_FORMS = ["iban", "otherId", "accountNumber", "label"] as const;

const hasAccount = ({ account }: RailConnection) => {
  if (!ACCOUNT_FORMS.some((form) => typeof account[form] === "string")) return "account.label";
  const isShort =
    typeof account.accountNumber === "string" && typeof account.routingNumber !== "string";
  return isShort ? "account.routingNumber" : undefined;
};

/** A connector that settles invoices alone has no capabilities. */
const hasCapabilities = ({ capabilities, settlement }: RailConnection) =>
  capabilities.length + settlement.length === 0 ? "capabilities" : undefined;

/** A feature that the settings need and the connector does not declare. */
const hasFeature =
  (name: keyof ConnectorFeatures, isAskedFor: (connection: RailConnection) => boolean) =>
  (connection: RailConnection) =>
    connection.features?.[name] === false && isAskedFor(connection)
      ? `features.${name}`
      : undefined;

const FEATURES_NEEDED = [
  hasFeature("feed", ({ settings }) => settings.feed === true),
  hasFeature("instructions", ({ funding }) => funding.mode === "CONNECTOR"),
] as const;

const RULES: Readonly<Record<ConnectionKind, KindRule>> = {
  HTTP: {
    settings: [
      ...(["baseUrl", "timeoutMs", "concurrency", "feed", "pollSeconds", "holdDays"] as const),
      ...(["feeCeilingBps", "feeCeilingMinor"] as const),
    ],
    secrets: ["signingSecret", "callbackSecret", "previousSigningSecret", "previousCallbackSecret"],
    needed: [
      hasHolder,
      hasAccount,
      hasSetting("baseUrl"),
      hasSecret("signingSecret"),
      hasSecret("callbackSecret"),
      hasCapabilities,
      ...FEATURES_NEEDED,
    ],
  },
  MANUAL: {
    settings: ["accountTypes", "paymentRails", "instructionsNote", "holdDays"],
    secrets: [],
    needed: [hasHolder, hasAccount, hasSetting("accountTypes"), hasSetting("paymentRails")],
  },
  SANDBOX: { settings: ["feeCeilingBps", "feeCeilingMinor"], secrets: [], needed: [] },
};

/** Settings and secrets that the kind does not have, each by its name. */
export function foreignFaults(
  kind: ConnectionKind,
  sent: { readonly settings?: object | undefined; readonly secrets?: object | undefined },
): readonly FieldError[] {
  const { settings, secrets } = RULES[kind];
  return [
    ...faultsIn("settings", sent.settings, { kind, known: settings }),
    ...faultsIn("secrets", sent.secrets, { kind, known: secrets }),
  ];
}

function faultsIn(
  part: "settings" | "secrets",
  sent: object | undefined,
  { kind, known }: { readonly kind: ConnectionKind; readonly known: readonly string[] },
): readonly FieldError[] {
  const list = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return Object.keys(sent ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: `${part}.${name}`,
      message: `is none of the ${part} of a ${kind} connection; ${list}`,
    }));
}

/** The dot paths of what is missing before the connection can be active. */
export function missingIn(connection: RailConnection): readonly string[] {
  const { needed } = RULES[connection.kind];
  return needed.flatMap((check) => check(connection) ?? []);
}

/** The features among what is missing. */
export function missingFeatures(connection: RailConnection): readonly string[] {
  return FEATURES_NEEDED.flatMap((check) => check(connection) ?? []);
}

/** What the connection carries by its settings alone; a connector describes its own capabilities. */
export function capabilitiesBySettings(connection: RailConnection): readonly Capability[] {
  const { kind, currencies, settings, capabilities } = connection;
  if (kind === "HTTP") return capabilities;
  const { accountTypes = [], paymentRails = [] } = settings;
  if (accountTypes.length === 0 || paymentRails.length === 0) return [];
  return paymentDirections.flatMap((direction) =>
    currencies.map((currency) => ({ direction, currency, accountTypes, paymentRails })),
  );
}

/** Absent members keep their value; a member that is null is removed. */
export function merged(before: JsonObject, sent: JsonObject | undefined): JsonObject {
  const entries = Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}
