/**
 * Every text in an answer to a person is masked, or stands in the lists below: those are shown to people without `pii.read`. A member
 * that is new is in neither, and fails here until it was looked at.
 */
import { expect, it } from "vitest";
import { beneficiaryReference, umaReference } from "../../domain/payments/transactions/delivery.ts";
import { referenceFrom } from "../../domain/payments/transactions/transaction.ts";
import { newReference } from "../../domain/rails/funding/payment-reference.ts";
import { endToEndIdOf } from "../../domain/rails/orders/rail-payment.ts";
import { type Party, partyKinds } from "../../domain/reading/parties/party.ts";
import {
  documentKeyword,
  isNode,
  propertiesOf,
  type SchemaNode,
  sensitiveKeyword,
} from "../../validation/schema.ts";
import { operations } from "../operations/routes.ts";
import { consoleOperations } from "./console-routes.ts";
import { isMasked, maskedText, mayHoldPersonalData } from "./masking.ts";
import { pathAtPlatform } from "./place.ts";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** Ids, states, codes, times, settings of the platform, and what the platform itself has named. */
const OPEN = new Set([
  ...words(
    "id posting kind type status state stage scheme method path act hash sha256 digest fingerprint nextCursor requestId operationId " +
      "errorCode code routeId resourceId documentHolder customerId platformCustomerId platformAccountId agentId accountId " +
      "internalAccountId transactionId counterpartTransactionId quoteId groupId holdId transactionIds lookupId itemId entryId paymentId receivableId invoiceId connectionId " +
      "railPaymentId suggestedPaymentId railEntryId depositAccountId depositTransactionId depositOf batchId tokenId scheduleId personId sessionId credentialId eventId endpointId deliveryId jobId " +
      "clientId keyId refundOf sourceAccountId destinationAccountId externalAccountIds createdBy requestedBy decidedBy recordedBy bookedBy approvalId documentId platformId resultId contentDigest shownDigest chainHash effectsDigest previousHash " +
      "idempotencyScope importers actionId widens markId",
  ),
  ...words(
    "currency currencies currencyCode amount balance available held committed net base quote rate mid from to pivots pointer asOfPointer symbol " +
      "country region cryptoNetwork network assetType accountType accountTypes paymentRail paymentRails " +
      "destinationPaymentRail rail supportedRegions countryOfResidence timeZone zone holidays cutOffs " +
      "purposeOfPayment",
  ),
  ...words(
    "asOf date until localTime bookedOn valueDate requestedOn settledOn lastUsedAt dailyResetDate monthlyResetMonth eventType field " +
      "failureReason disabledReason acceptedDocumentTypes issuingAuthority direction outcome events command actor why day days",
  ),
  // Of a bank, not of its customer.
  ...words(
    "bankName bankCode branchCode bankAccountType ifsc bic intermediaryBankName intermediaryRoutingNumber provider vaspName pixKeyType lei",
  ),
  // Of the platform: its settings, its own account, its keys. They are secrets at most, and those are shown once, to who may make them.
  ...words(
    "umaDomain proxyUmaSubdomain webhookEndpoint statementTimeZone appName sendFromEmailAddress replyToEmailAddress " +
      "sendFromEmailSenderName logoUrl logoDocument color domain baseUrl instructionsNote instructionsNotes url publicKey secret " +
      "clientSecret challenge payloadToSign encryptedSessionSigningKey encryptedWalletCredentials kycUrl server " +
      "townName streetName buildingNumber postCode userAgent idempotencyKey",
  ),
  // Masked where they are made.
  ...words("identifierMasked accountMasked"),
]);

/** Names that mean different things, each with the schema or the member that it stands in. */
const OPEN_AT = new Set(
  words(
    // Facts have what may be personal in members of their own.
    "ShownApproval.at ShownApproval.sealed ShownApproval.title ShownFact.before ShownFact.key ShownFact.label ShownFact.value ShownWarning.text " +
      "Actor.name Agent.name Branding.name CreatedToken.name Currency.name RailConnection.name RailRoute.name RateSource.name " +
      "PaymentSchedule.name Token.name UmaProvider.name actor.name author.name checks.name rateSource.name requiredPayerDataFields.name takenBy.name workedBy.name connections.name books.connectionName cutOffs.connectionName " +
      "AuditEntry.reason LedgerEntry.reason Posting.reason TimelineEntry.reason TimelineStep.reason TimelineStep.connection recall.reason VerificationError.reason outage.reason " +
      "PlatformConfig.searchableMetadata searchableMetadataBuild.list searchableMetadataBuild.lastId ScheduleRule.time ScheduleRunError.message PaymentBatch.name PaymentBatchWithoutIds.name PaymentBatchItemError.message PaymentBatchError.message Failure.message checks.message errors.message lastError.message faults.message latest.message RailConnection.missing parts.multiplier parts.price PayerDataField.name RailEntry.feeOf RailEntry.invoiceId RailSettlementLayer.layer UmaCounterparty.name UmaCounterparty.versions UmaExchange.umaVersion UmaExchange.vaspDomain UmaPayment.assetIdentifier UmaPayment.invoiceId UmaPayment.layer UmaPayment.multiplier UmaPayment.fieldsReceived UmaPayment.fieldsSent UmaPayment.receiverKyc UmaPayment.umaVersion UmaPayment.vaspDomain travelRule.format travelRule.sha256 utxos.amountMsats utxos.utxo UmaTravelRule.format UmaPolicy.authorities UmaPolicy.layers signingKey.previous " +
      "DeliveryAttempt.error WebhookDelivery.lastError Export.failure RefusedRate.value RailConnectionAccount.label " +
      "target.label RailDeskItem.resolvedBy decision.by history.by resolution.by " +
      // An approval names accounts by their ids; a signature is over digests; texts of a proof are left out for a person who may not see them.
      "Approval.operation Approval.summary failure.message decisions.by assertion.authenticatorData assertion.clientDataJSON assertion.signature " +
      // Why a mark was refused, and bank details, which a person without `pii.read` is refused.
      "data.message lines.value " +
      // Masked where the account is one of a customer.
      "InternalAccount.name " +
      // Masked by the kind of the party.
      "Party.name Party.detail party.name party.detail holder.name holder.yourId " +
      // Of a connection, an endpoint or an event.
      "ObjectName.label " +
      // Masked where they are made.
      "results.title results.subtitle " +
      // Certificates and requests for them name domains and public keys.
      "UmaKey.chain getUmaKeyRequest.pem " +
      "Checkpoint.signature Checkpoint.text CommandProof.row LedgerCommand.name links.row effects.row effects.text",
  ),
);

/** Members of bodies alone: names that the platform chose, links and ids of payments, facts of an institution. */
const OPEN_SENT = new Set(
  words(
    "updateConfig.searchableMetadata setUmaKeyChain.pem setUmaPolicy.authorities setUmaPolicy.layers ScheduleRule.time createPaymentBatch.name createPaymentSchedule.name updatePaymentSchedule.name account.label branding.name createAgent.name createToken.name createRailConnection.name createRailRoute.name createRateSource.name " +
      "updateAgent.name updateRailConnection.name updateRailRoute.name updateRateSource.name createKycLink.redirectUri " +
      "entry.bookedAt entry.feeOf entry.instructionId entry.invoiceId entry.returnOf payment.providerReference errors.reason filter.reason " +
      "receiveUmaPayment.receivingCurrencyCode receiverCustomerInfo.BUSINESS_TYPE receiverCustomerInfo.COUNTRY_OF_RESIDENCE " +
      "receiverCustomerInfo.FI_ADDRESS receiverCustomerInfo.FI_LEGAL_ENTITY_NAME receiverCustomerInfo.ID_TYPE " +
      "receiverCustomerInfo.PURPOSE_OF_PAYMENT receiverCustomerInfo.ULTIMATE_INSTITUTION_COUNTRY receiverCustomerInfo.USER_TYPE",
  ),
);

/** Objects without named members that are not masked as a whole: headers, without credentials; amounts by currency. */
const FREE = new Set(words("headers requestHeaders responseHeaders feeCeilingMinor"));

interface Found {
  readonly parent: string;
  readonly name: string;
  readonly isFree: boolean;
  /** Redacted as a whole in the request log. */
  readonly isSecret: boolean;
}

function textsIn(schema: unknown, parent: string, seen: Set<unknown>): readonly Found[] {
  if (!isNode(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const inside = typeof schema.$id === "string" ? schema.$id : parent;
  const parts = ["oneOf", "anyOf", "allOf"].flatMap((key) => (schema[key] ?? []) as unknown[]);
  const more = [
    ...parts,
    schema.items,
    schema[documentKeyword],
    ...Object.values((schema.patternProperties ?? {}) as object),
  ];
  const members = Object.entries(propertiesOf(schema as never)).flatMap(([name, member]) => {
    const node = member as unknown as SchemaNode;
    // What stands in a masked object is hidden with it.
    const below = isMasked(inside, name) ? [] : textsIn(node, name, seen);
    return [...ownTexts(node, inside, name), ...below];
  });
  return [...members, ...more.flatMap((part) => textsIn(part, inside, seen))];
}

/** The member itself, where it is a text or an object without named members. */
function ownTexts(node: SchemaNode, parent: string, name: string): readonly Found[] {
  const variants = [
    node,
    ...["anyOf", "oneOf"].flatMap((key) => (node[key] ?? []) as SchemaNode[]),
  ];
  return variants.flatMap((variant): readonly Found[] => {
    const one = (variant.type === "array" ? variant.items : variant) as SchemaNode | undefined;
    if (one === undefined) return [];
    const isText = [one.type].flat().includes("string");
    const isNamed = one.enum !== undefined || one.const !== undefined || one.format === "date-time";
    const isSecret = [node, variant, one].some((part) => part[sensitiveKeyword] === true);
    if (isText && !isNamed) return [{ parent, name, isFree: false, isSecret }];
    return one.type === "object" && one.properties === undefined && one.oneOf === undefined
      ? [{ parent, name, isFree: true, isSecret }]
      : [];
  });
}

const answered = [
  ...operations.filter(({ capability }) => capability !== undefined),
  ...consoleOperations.filter(({ path }) => pathAtPlatform(path) !== undefined),
];
const found = answered.flatMap(({ id, answers }) =>
  Object.values(answers).flatMap(({ schema }) => textsIn(schema, id, new Set())),
);

/** The request log keeps bodies, and masks them in the same way. */
const sent = operations.flatMap(({ id, body, shownBody }) =>
  textsIn(shownBody ?? body, id, new Set()),
);

it("masks each text of a body that is kept in the request log, or knows that it says nothing about a person", () => {
  expect(sent.length).toBeGreaterThan(300);
  const unknown = sent.filter(
    ({ parent, name, isFree, isSecret }) =>
      !isFree &&
      !isSecret &&
      !isMasked(parent, name) &&
      !OPEN.has(name) &&
      !OPEN_AT.has(`${parent}.${name}`) &&
      !OPEN_SENT.has(`${parent}.${name}`),
  );
  expect([...new Set(unknown.map(({ parent, name }) => `${parent}.${name}`))].sort()).toEqual([]);
});

it("masks each text of an answer, or knows that it says nothing about a person", () => {
  expect(found.length).toBeGreaterThan(1_000);
  const unknown = found.filter(
    ({ parent, name, isFree }) =>
      !isMasked(parent, name) &&
      !(isFree ? FREE.has(name) : OPEN.has(name) || OPEN_AT.has(`${parent}.${name}`)),
  );
  expect([...new Set(unknown.map(({ parent, name }) => `${parent}.${name}`))].sort()).toEqual([]);
});

it("lists no name that no answer has", () => {
  const names = new Set(found.map(({ name }) => name));
  const places = new Set(found.map(({ parent, name }) => `${parent}.${name}`));
  expect([...OPEN, ...FREE].filter((name) => !names.has(name))).toEqual([]);
  expect([...OPEN_AT].filter((place) => !places.has(place))).toEqual([]);
});

it("lists no name both ways", () => {
  expect([...OPEN].filter((name) => isMasked("", name))).toEqual([]);
});

it("shows the references that this server makes, and hides what anybody else wrote", () => {
  const own = [
    beneficiaryReference("019a4f00-0000-7000-8000-000000000009"),
    newReference("RF", 2n ** 69n - 1n),
    newReference("MEMO", 12_345n),
    ...(["RF", "SF", "TI", "UMA"] as const).map((prefix) =>
      referenceFrom(prefix, "019a4f00-0000-7000-8000-00000000000a"),
    ),
    umaReference("019a4f00-0000-7000-8000-00000000000b"),
    endToEndIdOf("019a4f00-0000-7000-8000-00000000000c"),
  ];
  const typed = ["RENT ANA RUIZ", "FL-ANA-RUIZ", "RF18 ANA RUIZ", "", "TI-ANA", `${own[0]} ANA`];
  for (const name of ["reference", "bankReference", "endToEndId"]) {
    const shown = (text: string) => JSON.parse(maskedText(JSON.stringify({ [name]: text })))[name];
    expect(own.map(shown)).toEqual(own);
    expect(typed.map(shown)).toEqual(typed.map(() => "•••"));
  }
});

it("masks a party by its kind", () => {
  const holder = { id: "Customer:1", name: "Sofia Petrova", yourId: "sofia-1" };
  const hidden = { ...holder, name: "S. P." };
  const cases: readonly (readonly [Party, Partial<Party>])[] = [
    [{ kind: "CUSTOMER", name: "Sofia Petrova", detail: "sofia-1" }, { name: "S. P." }],
    [
      { kind: "INTERNAL_ACCOUNT", name: "Sofia Petrova", detail: "USD · Default", holder },
      { name: "S. P.", holder: hidden },
    ],
    [{ kind: "INTERNAL_ACCOUNT", name: "Acme Pay", detail: "USD · Default" }, {}],
    [
      { kind: "INTERNAL_ACCOUNT", name: "Sofia Petrova", detail: "USD · Sofia Savings", holder },
      { name: "S. P.", detail: "USD · S. S.", holder: hidden },
    ],
    [{ kind: "INTERNAL_ACCOUNT", name: "Acme Pay", detail: "USD · Fees of May" }, {}],
    [
      { kind: "EXTERNAL_ACCOUNT", name: "Jonas Berg", detail: "DKB · ••9104", holder },
      { name: "J. B.", holder: hidden },
    ],
    [{ kind: "EXTERNAL_ACCOUNT", name: "••a3f4", detail: "Polygon wallet" }, {}],
    [
      { kind: "UMA", name: "$sofia@pay.example", detail: "Sofia Petrova", holder },
      { name: "$s•••@p•••.example", detail: "S. P.", holder: hidden },
    ],
    [{ kind: "UMA", name: "$bo@w.example", detail: "" }, { name: "$b•••@w•••.example" }],
    [
      { kind: "OUTSIDE", name: "Bo Lind", detail: "SEB · ••1234 · rent" },
      { name: "B. L.", detail: "•••" },
    ],
    [{ kind: "OUTSIDE", name: "Unnamed payer", detail: "" }, {}],
    [{ kind: "PLATFORM", name: "Acme Pay", detail: "" }, {}],
    [
      { kind: "AGENT", name: "Bill payer", detail: "acts for Sofia Petrova", holder },
      { detail: "acts for S. P.", holder: hidden },
    ],
    [{ kind: "PERSON", name: "Kim", detail: "kim@acme.example" }, { detail: "k•••@a•••.example" }],
    [{ kind: "TOKEN", name: "first token", detail: "VIEW, TRANSACT" }, {}],
    [{ kind: "SYSTEM", name: "Florin", detail: "by itself" }, {}],
  ];
  for (const [party, change] of cases) {
    const text = JSON.stringify({ parties: { from: party } });
    const shown = JSON.parse(maskedText(text));
    expect(shown, party.kind).toEqual({ parties: { from: { ...party, ...change } } });
    expect(mayHoldPersonalData(text)).toBe(true);
  }
  expect(new Set(cases.map(([{ kind }]) => kind)).size).toBe(partyKinds.length);
});

it("hides the values of metadata and keeps their names", () => {
  const shown = maskedText(JSON.stringify({ metadata: { tenant: "Ana Ruiz", shelf: "" } }));
  expect(JSON.parse(shown)).toEqual({ metadata: { tenant: "•••", shelf: "•••" } });
});

it("finds the members that it masks in a text, so that a text without them needs no parsing", () => {
  const places = [...sent, ...found].filter(({ parent, name }) => isMasked(parent, name));
  expect(places.length).toBeGreaterThan(300);
  for (const { parent, name } of places) {
    const text = JSON.stringify({ [parent]: { [name]: "Ana Ruiz of Florin Street" } });
    expect([text, mayHoldPersonalData(text)]).toEqual([text, maskedText(text) !== text]);
  }
  for (const value of ["FL8000000000004", "0".repeat(32)]) {
    expect(mayHoldPersonalData(JSON.stringify({ a: { reference: value } }))).toBe(false);
    expect(mayHoldPersonalData(JSON.stringify({ a: { accountNumber: value } }))).toBe(true);
  }
});
