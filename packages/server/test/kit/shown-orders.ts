/** An order of each act with the lines that are shown of it, for tests of the description and of the mail that is made from it. */
import type { Surroundings } from "../../src/domain/people/approvals/shown/describe.ts";
import type { JsonObject } from "../../src/std/json.ts";
import { from, payment, sends, to, uuid } from "./shown-rows.ts";

const SIDES = [
  "PAYEE Name: Jonas Berg",
  "PAYEE Bank: DKB",
  "PAYEE Country: Germany",
  "PAYEE Account: ••9104",
  "PAYEE Type: EUR account",
  "PAYEE Account of: Ana Ruiz",
  "PAYEE Added: 19 Oct 2026 by Ben Stone (ben@example.com)",
  "PAYEE Paid: 7 times, last on 12 Nov 2026",
  "PAYEE Name check: The name matches",
  "FROM Holder: Ana Ruiz",
  "FROM Type: USD account at the platform",
  "FROM Balance now: 10,000.00 USD",
  "FROM Balance after: 6,987.50 USD",
];

const agentId = `Agent:${uuid("04")}`;
const policy = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "APPROVAL_REQUIRED",
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000, dailyLimit: null },
};
const frozen = { reason: "LEGAL_ORDER", scope: "ALL", since: "2026-11-20T10:00:00.000Z" };
const connection = {
  id: `RailConnection:${uuid("06")}`,
  name: "House bank",
  kind: "MANUAL",
  currencies: ["USD"],
  settings: { holdDays: 2 },
  control: { approval: "FOUR_EYES", payoutCeiling: "0", creditCeiling: null, importers: null },
  secrets: { signingSecret: "5f0c4b8f" },
};

const TEMPLATE = {
  kind: "TRANSFER_OUT",
  source: { accountId: `InternalAccount:${uuid("01")}` },
  destination: { accountId: `ExternalAccount:${uuid("02")}`, paymentRail: "WIRE" },
  amount: 301_250,
  description: "Rent of May",
};
const RULE_LINES = [
  "ORDER Rule: every: Month",
  "ORDER Rule: on: 1",
  "ORDER Rule: time: 09:00",
  "ORDER Rule: time zone: Europe/Berlin",
];
const RULE = { every: "MONTH", on: 1, time: "09:00", timeZone: "Europe/Berlin" };

/** An order of each act, with the lines that are shown of it. */
export const ORDERS: readonly (readonly [
  act: string,
  content: JsonObject,
  more: Partial<Surroundings>,
  lines: readonly string[],
])[] = [
  [
    "transferOut",
    {
      source: { accountId: `InternalAccount:${uuid("01")}` },
      destination: { accountId: `ExternalAccount:${uuid("02")}`, paymentRail: "WIRE" },
      amount: 301_250,
      description: "Rent of May",
      metadata: { contract: "7" },
    },
    { payment },
    [
      "ORDER Amount: 3,012.50 USD",
      ...SIDES,
      "ORDER Rail: WIRE",
      "ORDER Metadata: contract: 7",
      "WHY Description: Rent of May",
    ],
  ],
  [
    "executeQuote",
    { quoteId: `Quote:${uuid("20")}`, remittanceInformation: "Invoice 9", minReceived: 1 },
    {
      payment: {
        ...payment,
        receives: { minor: 276_000n, currency: "EUR" },
        rate: "1 EUR = 1.085 USD",
        bound: "until the payee gets 2,746.00 EUR",
      },
    },
    [
      "ORDER Amount: 3,012.50 USD",
      "ORDER Payee gets: 2,760.00 EUR",
      "ORDER Rate: 1 EUR = 1.085 USD",
      "ORDER Price may move: until the payee gets 2,746.00 EUR",
      ...SIDES,
      "WHY Remittance information: Invoice 9",
    ],
  ],
  [
    "createPaymentSchedule",
    { name: "Rent", template: TEMPLATE, rule: RULE, retry: { times: 3, everyMinutes: 60 } },
    { payment },
    [
      "ORDER Amount: 3,012.50 USD",
      ...SIDES,
      "ORDER Rail: WIRE",
      "ORDER Description: Rent of May",
      "ORDER Name: Rent",
      ...RULE_LINES,
      "ORDER Retry: times: 3",
      "ORDER Retry: every minutes: 60",
    ],
  ],
  [
    "runPaymentSchedule",
    {
      scheduleId: `PaymentSchedule:${uuid("22")}`,
      name: "Rent",
      currency: "USD",
      template: TEMPLATE,
      rule: RULE,
    },
    { payment },
    [
      "ORDER Amount: 3,012.50 USD",
      ...SIDES,
      "ORDER Rail: WIRE",
      "ORDER Description: Rent of May",
      "ORDER Name: Rent",
      ...RULE_LINES,
    ],
  ],
  [
    "updatePaymentSchedule",
    {
      scheduleId: `PaymentSchedule:${uuid("22")}`,
      template: { ...TEMPLATE, amount: 400_000 },
      before: { name: "Rent", currency: "USD", template: TEMPLATE, rule: RULE },
    },
    { payment },
    [
      "ORDER Schedule: Rent",
      "ORDER Amount: 3,012.50 USD",
      ...SIDES,
      "CHANGE Template: amount: 3,012.50 USD → 4,000.00 USD",
    ],
  ],
  [
    "refundTransaction",
    { transactionId: `Transaction:${uuid("21")}`, reason: "DUPLICATE", note: "Paid twice" },
    { payment: { from, to: { kind: "OUTSIDE", name: "Ida Holm", account: null }, sends } },
    [
      "ORDER Amount: 3,012.50 USD",
      "PAYEE Name: Ida Holm",
      "PAYEE Account: Outside the platform",
      "FROM Holder: Ana Ruiz",
      "FROM Type: USD account at the platform",
      "FROM Balance now: 10,000.00 USD",
      "FROM Balance after: 6,987.50 USD",
      "WHY Reason: Duplicate",
      "WHY Note: Paid twice",
    ],
  ],
  [
    "captureHold",
    {
      holdId: `Hold:${uuid("22")}`,
      amount: 301_250,
      destination: { accountId: `ExternalAccount:${uuid("02")}` },
      final: true,
      description: "Order 1042",
    },
    { payment: { ...payment, freedMinor: 1_250n } },
    [
      "ORDER Amount: 3,012.50 USD",
      ...SIDES.slice(0, -1),
      "FROM Balance after: 10,012.50 USD",
      "ORDER Final: Yes",
      "WHY Description: Order 1042",
    ],
  ],
  [
    "createAdjustment",
    {
      accountId: `InternalAccount:${uuid("01")}`,
      direction: "CREDIT",
      amount: 1250,
      currency: "USD",
      reasonCode: "GOODWILL",
      note: "Apology for the late payout",
      documentId: `Document:${uuid("08")}`,
    },
    { payment: { to: from, sends: { minor: 1250n, currency: "USD" } } },
    [
      "ORDER Amount: 12.50 USD",
      "PAYEE Name: Ana Ruiz",
      "PAYEE Type: USD account at the platform",
      "PAYEE Balance now: 10,000.00 USD",
      "PAYEE Balance after: 10,012.50 USD",
      "ORDER Direction: Credit",
      "WHY Reason code: Goodwill",
      "WHY Note: Apology for the late payout",
      "WHY Document: complaint.pdf",
    ],
  ],
  [
    "createCustomerExternalAccount",
    {
      customerId: `Customer:${uuid("03")}`,
      currency: "USD",
      defaultUmaDepositAccount: true,
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "000123456789",
        beneficiary: { fullName: "Ana Ruiz" },
      },
    },
    { payment: { to: { ...to, created: null, paid: null, nameCheck: null } } },
    [
      ...SIDES.slice(0, 6),
      "PAYEE Added: With this order",
      "PAYEE Name check: Not checked",
      "ORDER Currency: USD",
      "ORDER Takes incoming UMA payments: Yes",
      "ORDER Account type: USD account",
      "ORDER Account number: 000123456789",
      "ORDER Beneficiary: full name: Ana Ruiz",
    ],
  ],
  [
    "createToken",
    { name: "payouts", permissions: ["VIEW", "TRANSACT"], clientId: "c", secretHash: "a" },
    {},
    ["ORDER Name: payouts", "ORDER Permissions: View, Transact"],
  ],
  [
    "updateAgentPolicy",
    {
      agentId,
      before: policy,
      changes: { spendingLimits: { perTransactionLimit: 200_000 }, permissions: [] },
    },
    {},
    [
      "CHANGE Permissions: Create transfers → None",
      "CHANGE Spending limits: at most a payment: 1,000.00 USD → 2,000.00 USD",
      "ORDER Agent: Bookkeeper",
    ],
  ],
  [
    "updateAgentPolicy",
    { agentId, before: policy, changes: { spendingLimits: { currency: "EUR" } } },
    {},
    [
      "CHANGE Spending limits: currency: USD → EUR",
      "CHANGE Spending limits: at most a payment: 1,000.00 USD → Converted at the rate of that moment",
      "ORDER Agent: Bookkeeper",
    ],
  ],
  [
    "updateAgent",
    { agentId, isPaused: false },
    {},
    ["CHANGE Paused: Yes → No", "ORDER Agent: Bookkeeper"],
  ],
  ["createAgentDeviceCode", { agentId, codeHash: "h" }, {}, ["ORDER Agent: Bookkeeper"]],
  [
    "createAgent",
    { name: "Bookkeeper", customerId: `Customer:${uuid("03")}`, policy, codeHash: "h" },
    {},
    [
      "ORDER Name: Bookkeeper",
      "ORDER Customer: Ana Ruiz",
      "ORDER Permissions: Create transfers",
      "ORDER Orders: Approval required",
      "ORDER Spending limits: currency: USD",
      "ORDER Spending limits: at most a payment: 1,000.00 USD",
      "ORDER Spending limits: at most a day: None",
    ],
  ],
  [
    "unfreezeCustomer",
    { customerId: `Customer:${uuid("03")}`, frozen },
    {},
    [
      "CHANGE Reason: Legal order → None",
      "CHANGE Scope: Payments out and in → None",
      "CHANGE Since: 20 Nov 2026, 10:00 UTC → None",
      "ORDER Customer: Ana Ruiz",
    ],
  ],
  [
    "freezeInternalAccount",
    {
      accountId: `InternalAccount:${uuid("01")}`,
      frozen,
      reason: "LEGAL_ORDER",
      scope: "DEBITS",
      note: "Court",
    },
    {},
    [
      "CHANGE Scope: Payments out and in → Payments out",
      "ORDER Account: Ana Ruiz, USD",
      "WHY Note: Court",
    ],
  ],
  [
    "decideVerification",
    {
      verificationId: `Verification:${uuid("09")}`,
      outcome: "APPROVED",
      note: "Another person",
      rejection: {
        decidedBy: `Person:${uuid("05")}`,
        reasonCode: "APPLICANT_SANCTIONED",
        note: "list 7",
      },
    },
    {},
    [
      "ORDER Verification: Ana Ruiz",
      "ORDER Outcome: Approved",
      "WHY Note: Another person",
      "WHY Rejection: decided by: Ben Stone (ben@example.com)",
      "WHY Rejection: reason code: Applicant sanctioned",
      "WHY Rejection: note: list 7",
    ],
  ],
  [
    "updatePerson",
    {
      personId: `Person:${uuid("05")}`,
      roles: [{ platformId: uuid("10"), roles: ["APPROVER"] }],
    },
    {
      change: {
        before: { roles: [{ platformId: null, roles: ["VIEWER"] }], isSuspended: false },
        after: { roles: [{ platformId: uuid("10"), roles: ["APPROVER"] }], isSuspended: false },
      },
    },
    [
      "CHANGE Roles on every platform: Viewer → None",
      "CHANGE Roles on Acme live: None → Approver",
      "ORDER Person: Ben Stone (ben@example.com)",
    ],
  ],
  [
    "createInvite",
    {
      personId: uuid("30"),
      email: "eve@example.com",
      name: "Eve",
      roles: [{ platformId: null, roles: ["OWNER"] }],
    },
    {},
    ["ORDER Email: eve@example.com", "ORDER Name: Eve", "ORDER Roles on every platform: Owner"],
  ],
  [
    "updateSso",
    {
      names: ["acme"],
      isRequired: false,
      issuers: [
        {
          id: uuid("40"),
          name: "Acme",
          issuer: "https://new.example",
          clientId: "florin",
          secret: { sealId: "1", sealed: "v1" },
          autoJoin: { domain: "acme.example", role: "VIEWER" },
        },
      ],
      before: {
        names: ["acme"],
        isRequired: true,
        issuers: [
          {
            id: uuid("40"),
            name: "Acme",
            issuer: "https://old.example",
            clientId: "other",
            autoJoin: null,
          },
        ],
      },
    },
    {},
    [
      "CHANGE Sign-in by a provider required: Yes → No",
      "CHANGE Issuers Acme: issuer: https://old.example → https://new.example",
      "CHANGE Issuers Acme: client: other → florin",
      "CHANGE Issuers Acme: secret: None → A new one",
      "CHANGE Issuers Acme: joins by itself: domain: None → acme.example",
      "CHANGE Issuers Acme: joins by itself: role: None → Viewer",
    ],
  ],
  [
    "setPolicy",
    { rules: { PAYMENT: { waits: true, above: { USD: 1000 } } } },
    {
      change: {
        before: { rules: { PAYMENT: { waits: true } } },
        after: { rules: { PAYMENT: { waits: true, above: { USD: 1000 } } } },
      },
    },
    ["CHANGE Payment: does not wait up to: USD: None → 10.00 USD"],
  ],
  [
    "updateRailConnection",
    {
      connectionId: `RailConnection:${uuid("06")}`,
      control: { approval: "NONE", payoutCeiling: null, creditCeiling: null, importers: null },
      secrets: { signingSecret: { sealed: "v1", fingerprint: "5f0c4b8f" }, callbackSecret: null },
      funding: { note: "x" },
      before: connection,
    },
    {},
    [
      "CHANGE Control: approval: Four eyes → None",
      "CHANGE Control: payout ceiling: 0.00 USD → None",
      "CHANGE Signing secret: A new one",
      "ORDER Connection: House bank",
      "ORDER Funding: note: x",
    ],
  ],
  [
    "activateRailConnection",
    { connectionId: `RailConnection:${uuid("06")}`, connection },
    {},
    [
      "ORDER Name: House bank",
      "ORDER Kind: Manual",
      "ORDER Currencies: USD",
      "ORDER Settings: hold days: 2",
      "ORDER Control: approval: Four eyes",
      "ORDER Control: payout ceiling: 0.00 USD",
      "ORDER Control: credit ceiling: None",
      "ORDER Control: importers: None",
      "ORDER Connection: House bank",
    ],
  ],
  [
    "updateRailRoute",
    { routeId: `RailRoute:${uuid("07")}`, maxAmount: 5_000_00, connection },
    {
      change: {
        before: { name: "Dollars", currency: "USD", maxAmount: 1_000_00 },
        after: { name: "Dollars", currency: "USD", maxAmount: 5_000_00 },
      },
    },
    [
      "CHANGE Max amount: 1,000.00 USD → 5,000.00 USD",
      "ORDER Connection: name: House bank",
      "ORDER Connection: kind: Manual",
      "ORDER Connection: currencies: USD",
      "ORDER Connection: settings: hold days: 2",
      "ORDER Connection: control: approval: Four eyes",
      "ORDER Connection: control: payout ceiling: 0.00 USD",
      "ORDER Connection: control: credit ceiling: None",
      "ORDER Connection: control: importers: None",
      "ORDER Route: Dollars by ACH",
    ],
  ],
  [
    "setFees",
    { rules: [] },
    {
      change: {
        before: { rules: [{ from: "USD", to: "*", fixedMinor: 50, bps: 25 }] },
        after: { rules: [{ from: "USD", to: "*", fixedMinor: 20, bps: 25 }] },
      },
    },
    ["CHANGE Rules USD to any: fixed fee: 0.50 USD → 0.20 USD"],
  ],
  [
    "setFxLimits",
    { limits: [] },
    {
      change: {
        before: { limits: [{ currency: "USD", maxLong: "1000" }] },
        after: { limits: [{ currency: "USD", maxLong: 2000 }] },
      },
    },
    ["CHANGE Limits USD: max long: 10.00 USD → 20.00 USD"],
  ],
];
