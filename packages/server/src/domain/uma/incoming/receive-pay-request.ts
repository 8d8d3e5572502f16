/** A pay request of another institution: the incoming transaction, its price, and the question to the platform. */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import type { Multiplier } from "../../../money/ratio.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import type { CustomerInfo, RequestedField } from "../../customers/customer-info.ts";
import { carrierPort, UMA_ADDRESS, type Wanted } from "../../payments/carrier/carrier.port.ts";
import { noRail, railPaused } from "../../payments/carrier/no-carrier.ts";
import { fractionText } from "../../payments/quotes/market/quote-price.ts";
import { UMA_RAIL } from "../../payments/transactions/delivery.ts";
import type { Transaction } from "../../payments/transactions/transaction.ts";
import {
  commitExchange,
  currencyNeeds,
  refuseBeyondLimits,
} from "../../prices/fx-positions/fx-position.ts";
import { rulesOf } from "../../prices/price-rules/price-rules.ts";
import { announcementNeeds, announcePayment } from "../announce-payment.ts";
import {
  putUmaNonce,
  refuseUsedNonce,
  type SignedMessage,
  umaNonceNeeds,
} from "../nonces/uma-nonce.ts";
import type { ReceivedPrice } from "../prices/received-price.ts";
import { priceNeeds, priceToday } from "./invoice-price.ts";
import { type SealedTravelRule, travelRules } from "./travel-rule.ts";
import {
  exchangeOf,
  type InvoiceHook,
  type InvoicePrice,
  invoicesOfToken,
  umaInvoices,
} from "./uma-invoice.ts";

/** What the payer's institution settles in, and the connection that takes it. */
export interface Settlement {
  readonly connectionId: string;
  readonly layer: string;
  readonly identifier: string;
  readonly asset: string;
  readonly decimals: number;
  readonly invoiceSeconds: number;
}

export interface PayRequestInput {
  readonly tokenId: string;
  readonly vaspDomain: string;
  /** The customer at the address when the request was read. */
  readonly receiver: { readonly umaAddress: string; readonly customerId: string };
  readonly sender: {
    readonly umaAddress: string;
    readonly information: CustomerInfo;
    readonly requestedFields: readonly RequestedField[];
  };
  readonly settlement: Settlement;
  readonly currency: string;
  /** RECEIVING: an amount of the currency. SENDING: units of the asset. */
  readonly locked: { readonly side: "RECEIVING" | "SENDING"; readonly minor: bigint };
  readonly comment: string | null;
  /** Where the institution wants to be told after the payment. */
  readonly hook: InvoiceHook | null;
  readonly travelRule: SealedTravelRule | null;
  /** Accepted once; see nonces/uma-nonce.ts. */
  readonly message: SignedMessage;
}

/** The pay requests that one lookup serves. */
const MOST_OF_A_LOOKUP = 5;

/**
 * Stores the payment with its price and asks the platform. Refuses, in this order: a lookup that has served its pay requests, a currency
 * without a fresh rate, an amount that leaves nothing, a connection to which no route leads any more, an amount outside the limits of its
 * routes and layer, a position beyond its limit, books without room, a
 * message that was accepted before; then whatever `announcePayment` lists. A platform without an endpoint cannot be asked: its payment is stored as FAILED, without an
 * invoice.
 */
export const receivePayRequest: Command<PayRequestInput, Transaction> = {
  name: "receive-uma-pay-request",
  needs: payRequestNeeds,
  decide(world, input) {
    const { tokenId, vaspDomain, currency, settlement } = input;
    const { connectionId, asset } = settlement;
    if (world.all(invoicesOfToken.of(tokenId)).length >= MOST_OF_A_LOOKUP) {
      throw new Refusal("LOOKUP_REQUEST_NOT_FOUND", { uses: MOST_OF_A_LOOKUP });
    }
    const { multiplier, terms, price } = priceIn(world, input);
    requireInvoiceRoute(world, settlement, terms.invoiceMinor);
    const amounts = {
      amountMinor: terms.invoiceMinor,
      receivingMinor: terms.receivingMinor,
      feeMinor: terms.feeMinor,
    };
    const exchange = exchangeOf({ asset, currency, ...amounts });
    refuseBeyondLimits(world, exchange);
    refuseWithoutRoom(world, [
      { system: "clearing", currency: asset, connectionId, minor: -terms.invoiceMinor },
      { system: "fees", currency: asset, minor: terms.feeMinor },
    ]);
    refuseUsedNonce(world, input.message);
    const transaction = announcePayment(
      world,
      {
        receiver: { kind: "address", ...input.receiver },
        currency,
        amountMinor: terms.receivingMinor,
      },
      { sender: input.sender, outcome: { kind: "invoice" }, description: input.comment },
    );
    putUmaNonce(world, input.message);
    if (input.travelRule !== null) {
      world.put(travelRules, { id: transaction.id, ...input.travelRule, createdAt: world.at });
    }
    const { status, destinationAccountId: accountId } = transaction;
    if (status === "FAILED" || accountId === null) return transaction;
    commitExchange(world, exchange);
    world.put(umaInvoices, {
      id: transaction.id,
      accountId,
      ...settlement,
      ...amounts,
      currency,
      multiplier: multiplier.digits,
      price,
      vaspDomain,
      tokenId,
      hook: input.hook,
      state: "ASKED",
      text: null,
      expiresAt: null,
      nodePubKey: null,
      utxos: null,
      entryId: null,
      endedAs: null,
      parts: null,
      jobId: null,
      createdAt: world.at,
      updatedAt: world.at,
    });
    return transaction;
  },
};

function payRequestNeeds(world: Loaded, input: PayRequestInput): readonly AnyRef[] {
  const { tokenId, receiver, currency, locked, settlement } = input;
  const { asset, connectionId } = settlement;
  const order = { receiver: { kind: "address", ...receiver }, currency } as const;
  return [
    ...umaNonceNeeds(input.message),
    invoicesOfToken.of(tokenId),
    ...priceNeeds(world.platformId),
    ...world.port(carrierPort).routeNeeds(world),
    ...currencyNeeds(world, asset, currency),
    systemAccount("clearing", asset, connectionId),
    systemAccount("fees", asset),
    ...announcementNeeds(world, { ...order, amountMinor: locked.minor }),
  ];
}

interface Priced {
  readonly multiplier: Multiplier;
  readonly terms: ReceivedPrice;
  readonly price: InvoicePrice | null;
}

function priceIn(world: World, { settlement, currency, locked }: PayRequestInput): Priced {
  const { asset } = settlement;
  const { multiplier, terms, fee, market } = priceToday(world, { asset, currency }, locked);
  if (terms === undefined || terms.invoiceMinor < 1n || terms.invoiceMinor > MAX_AMOUNT_MINOR)
    throw outOfRange(asset);
  if (market === null) return { multiplier, terms, price: null };
  const rules = rulesOf(world);
  const price = {
    sourceId: market.source.id,
    sourceName: market.source.name,
    rateAsOf: toIso(market.asOf),
    mid: fractionText(market.mid),
    spreadBps: market.spreadBps,
    spreadsVersion: rules.spreadsVersion,
    feeRule: fee ?? null,
    feesVersion: rules.feesVersion,
  };
  return { multiplier, terms, price };
}

/**
 * The connection was chosen before the commit. It makes such invoices still, and while a route leads to it, it is not archived: so
 * no invoice names an archived one.
 */
function requireInvoiceRoute(
  world: World,
  { asset: currency, layer, identifier, connectionId }: Settlement,
  amountMinor: bigint,
): void {
  const wanted: Wanted = {
    direction: "INVOICE",
    currency,
    accountType: UMA_ADDRESS,
    paymentRails: [UMA_RAIL],
    amountMinor,
    asset: { layer, identifier },
    connectionId,
  };
  const found = world.port(carrierPort).routes(world).choose(wanted);
  if (found.kind === "taken") return;
  if (found.kind === "paused") throw railPaused(wanted);
  if (found.missing === "AMOUNT") throw outOfRange(currency);
  throw noRail({ ...wanted, rail: UMA_RAIL }, found.missing);
}

function outOfRange(currency: string): Refusal {
  return new Refusal("AMOUNT_OUT_OF_RANGE", { currency });
}
