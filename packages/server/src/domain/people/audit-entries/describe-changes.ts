/**
 * What an audit entry says about the changed rows. A table that is not listed is left out, because its history is elsewhere. Of a
 * listed table, only the columns in `clear` appear with their values; for any other column the entry says only that it changed.
 */
import type {
  DescribeChanges,
  DescribedChanges,
  RowChange,
} from "../../../engine/audit-entries.ts";
import { toWireId } from "../../../std/ids.ts";

interface Told {
  /** The kind of the row's id in the API. */
  readonly kind: string;
  readonly label?: string;
  readonly clear: readonly string[];
  /** Columns that every entry about the row shows, even unchanged, because the entry is about them as well. */
  readonly always?: readonly string[];
  /** The entry tells of changes of these columns alone; the history of the others is elsewhere. */
  readonly only?: readonly string[];
}

const TOLD: Readonly<Record<string, Told>> = {
  workspaces: { kind: "Workspace", label: "name", clear: ["name", "adminsReadDocuments"] },
  people: {
    kind: "Person",
    label: "name",
    clear: [
      "email",
      "name",
      "locale",
      "timeZone",
      "state",
      "isOperator",
      "roles",
      "approvesFrom",
      "passkeyPutOffAt",
    ],
  },
  person_passkeys: {
    kind: "Passkey",
    label: "nickname",
    clear: ["nickname", "rpId", "isSynced", "counterBackAt", "deletedAt"],
  },
  person_links: {
    kind: "PersonInvite",
    clear: ["kind", "personId", "makesOperator", "expiresAt", "endedAt"],
  },
  person_sessions: {
    kind: "PersonSession",
    clear: ["personId", "passkeyId", "issuerId", "expiresAt", "endedAt"],
  },
  sso_settings: { kind: "Workspace", clear: ["names", "isRequired"] },
  sso_issuers: {
    kind: "SsoIssuer",
    label: "name",
    clear: ["name", "issuer", "clientId", "autoJoin", "testedAt", "setBy", "setAt", "deletedAt"],
  },
  person_identities: { kind: "PersonIdentity", clear: ["personId", "issuer", "endedAt"] },
  platforms: {
    kind: "PlatformConfig",
    label: "name",
    clear: [
      "name",
      "environment",
      "workspaceId",
      "umaDomain",
      "umaDomains",
      "isRegulatedFinancialInstitution",
      "reviewers",
      "webhookEndpoint",
      "webhookEvents",
      "webhookKeyId",
      "webhookNextKeyId",
      "webhookNextFrom",
      "supportedCurrencies",
      "branding",
      "statementTimeZone",
      "unknownFields",
    ],
  },
  uma_domains: {
    kind: "UmaDomain",
    label: "domain",
    clear: ["domain", "isPrimary", "status", "callbackBase", "verifiedAt", "deletedAt"],
  },
  uma_policies: {
    kind: "PlatformConfig",
    clear: [
      "receive",
      "send",
      "counterparties",
      "unregulated",
      "receiverKyc",
      "payerKyc",
      "certificates",
      "pinKeys",
      "callbackHosts",
      "invoiceSeconds",
      "layers",
      "network",
    ],
  },
  uma_counterparties: {
    kind: "UmaCounterparty",
    label: "domain",
    clear: ["domain", "status", "overrides", "keyState", "keyFingerprint", "deletedAt"],
  },
  approvals: {
    kind: "Approval",
    label: "summary",
    clear: [
      "kind",
      "act",
      "state",
      "requestedBy",
      "summary",
      "contentDigest",
      "approvalsNeeded",
      "expiresAt",
      "resultId",
      "failure",
    ],
    always: ["requestedBy"],
  },
  approval_comments: { kind: "ApprovalComment", clear: ["approvalId"] },
  approval_policies: { kind: "PlatformConfig", clear: ["rules"] },
  adjustments: {
    kind: "Adjustment",
    clear: ["accountId", "direction", "amountMinor", "currency", "reasonCode", "requestedBy"],
  },
  tokens: {
    kind: "Token",
    label: "name",
    clear: ["name", "permissions", "clientId", "expiresAt", "createdBy", "deletedAt"],
  },
  uma_keys: {
    kind: "UmaKey",
    label: "use",
    clear: ["use", "status", "publicKey", "source", "notBefore", "notAfter", "takesOverAt"],
  },
  webhook_endpoints: {
    kind: "WebhookEndpoint",
    label: "description",
    clear: [
      "url",
      "description",
      "events",
      "isDisabled",
      "disabledReason",
      "signature",
      "keyId",
      "nextKeyId",
      "nextFrom",
      "batchEvents",
      "batchWaitMs",
      "deletedAt",
    ],
  },
  agents: {
    kind: "Agent",
    label: "name",
    clear: ["name", "isPaused", "policy", "people", "deletedAt"],
  },
  customers: {
    kind: "Customer",
    clear: ["kycStatus", "kybStatus", "frozen", "currencies", "deletedAt"],
  },
  internal_accounts: {
    kind: "InternalAccount",
    clear: ["currency", "frozen", "customerFreeze", "status"],
  },
  /** The values are the platform's own and may be about a customer, so the entry says only that they changed. */
  transactions: { kind: "Transaction", clear: [], only: ["metadata"] },
  verifications: {
    kind: "Verification",
    clear: ["status", "decidedBy", "decisionNote", "decisionReason"],
  },
  rail_connections: {
    kind: "RailConnection",
    label: "name",
    clear: ["name", "kind", "status", "newPayments", "currencies"],
  },
};

/** Columns that an entry never shows. */
const UNTOLD: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt"]);
const CHANGED = "(changed)";
const MOST_CHANGES = 50;
const LONGEST_TEXT = 1_000;

export const describeChanges: DescribeChanges = (rows, named) => {
  const merged = [...mergedByRow(rows)];
  const told = merged.flatMap((row) => {
    const how = TOLD[row.table.name];
    return how === undefined || !isAbout(row, how) ? [] : [{ row, how }];
  });
  const main = told.find(({ row, how }) => toWireId(how.kind, row.after.id) === named) ?? told[0];
  const target = main && {
    kind: main.how.kind,
    id: toWireId(main.how.kind, main.row.after.id),
    label: labelOf(main.row, main.how),
  };
  const isMain = ({ row }: (typeof told)[number]) => row === main?.row;
  const changes = told
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)))
    .flatMap((one) => changesOf(one.row, one.how, isMain(one) ? "" : `${one.row.table.name}.`));
  const approval = merged.find(({ table }) => table.name === "approvals");
  return {
    target: target ?? null,
    changes: changes.slice(0, MOST_CHANGES),
    approvalId: approval?.after.id ?? null,
  };
};

/** Whether the entry has something to tell of the row: one with `only` counts where such a column has changed. */
function isAbout({ table, before, after }: RowChange, { only }: Told): boolean {
  if (only === undefined) return true;
  if (before === undefined) return false;
  const [from, to] = [before as unknown as Fields, after as unknown as Fields];
  return table.columns.some(
    ({ key, type }) =>
      only.includes(key) &&
      JSON.stringify(toldValue(from[key], type)) !== JSON.stringify(toldValue(to[key], type)),
  );
}

/** Merges the changes of each row: from before the first to after the last. */
function mergedByRow(rows: readonly RowChange[]): Iterable<RowChange> {
  const merged = new Map<string, RowChange>();
  for (const change of rows) {
    const key = `${change.table.name} ${change.after.id}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? change : { ...change, before: known.before });
  }
  return merged.values();
}

function labelOf({ after }: RowChange, { label }: Told): string | null {
  const text = label === undefined ? undefined : (after as unknown as Fields)[label];
  return typeof text === "string" && text !== "" ? text.slice(0, LONGEST_TEXT) : null;
}

type Fields = Readonly<Record<string, unknown>>;

function changesOf(
  { table, before, after }: RowChange,
  { clear, always = [], only }: Told,
  prefix: string,
): DescribedChanges["changes"] {
  const from = before as unknown as Fields | undefined;
  const to = after as unknown as Fields;
  return table.columns.flatMap(({ key, type }) => {
    if (UNTOLD.has(key) || only?.includes(key) === false) return [];
    const isClear = clear.includes(key);
    if (from === undefined) {
      return isClear && to[key] !== null
        ? [{ field: prefix + key, before: null, after: toldValue(to[key], type) }]
        : [];
    }
    const [old, now] = [toldValue(from[key], type), toldValue(to[key], type)];
    if (JSON.stringify(old) === JSON.stringify(now) && !always.includes(key)) return [];
    return isClear
      ? [{ field: prefix + key, before: old, after: now }]
      : [{ field: prefix + key, before: CHANGED, after: CHANGED }];
  });
}

/** The value in a form that JSON can hold; a long text is cut. */
function toldValue(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null;
  if (type === "time") return new Date(value as number).toISOString();
  if (typeof value === "bigint") return value.toString();
  if (Buffer.isBuffer(value)) return value.toString("hex");
  if (typeof value === "string") return value.slice(0, LONGEST_TEXT);
  if (typeof value !== "object") return value;
  const text = JSON.stringify(value);
  return text.length <= LONGEST_TEXT ? value : `${text.slice(0, LONGEST_TEXT)}…`;
}
