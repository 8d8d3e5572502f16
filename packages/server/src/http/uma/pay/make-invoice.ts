/**
 * Gets the text of an approved invoice from its connector, and stores it before it is given away. The connector has about eight seconds for it,
 * in two tries under the same id, so it makes one invoice at most. Without a text the job of the invoice cancels it.
 */
import { findConnection } from "../../../domain/rails/connections/rail-connection.sql.ts";
import { openInvoice } from "../../../domain/uma/incoming/open-invoice.ts";
import { findUmaInvoice, type UmaInvoice } from "../../../domain/uma/incoming/uma-invoice.ts";
import type { Services } from "../../request/services.ts";

export type InvoiceTools = Pick<Services, "engine" | "reads" | "clock" | "connectors">;

export interface WantedInvoice {
  readonly platformId: string;
  readonly invoiceId: string;
  readonly umaAddress: string;
  /** What the invoice commits to, as the layer can. */
  readonly metadata: string;
  /** How long it lives; undefined: as long as it was priced for. */
  readonly seconds: number | undefined;
}

/** A second try is made within this time; a try takes 3.5 s at most. */
const TRIED_AGAIN_WITHIN_MS = 4_000;

/** The open invoice; undefined when no text came in time, or the invoice has ended meanwhile. */
export async function makeInvoice(
  tools: InvoiceTools,
  wanted: WantedInvoice,
): Promise<UmaInvoice | undefined> {
  const { engine, reads, clock } = tools;
  const { platformId, invoiceId } = wanted;
  const invoice = await findUmaInvoice(reads, platformId, invoiceId);
  if (invoice?.state !== "WANTED") return undefined;
  const made = await textOf(tools, wanted, invoice);
  if (made === undefined) return undefined;
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: "uma" },
    command: openInvoice,
    input: { invoiceId, ...made, leftMs: made.expiresAt - clock.now() },
    toAnswer: (isOpen) => ({ status: 200, body: isOpen ? "open" : "" }),
  });
  const isOpen = status === 200 && body === "open" && made.expiresAt > clock.now();
  return isOpen ? { ...invoice, ...made, state: "OPEN" } : undefined;
}

async function textOf(
  { reads, clock, connectors }: InvoiceTools,
  { platformId, umaAddress, metadata, seconds }: WantedInvoice,
  invoice: UmaInvoice,
) {
  const address = await findConnection(reads, platformId, invoice.connectionId);
  if (address === undefined) return undefined;
  const startedAt = clock.now();
  const expiresAt = startedAt + (seconds ?? invoice.invoiceSeconds) * 1_000;
  const order = { ...address, invoice, expiresAt, metadata, umaAddress };
  const first = (await connectors.makeInvoice(order)).made;
  const isLate = clock.now() - startedAt > TRIED_AGAIN_WITHIN_MS;
  const made = first ?? (isLate ? undefined : (await connectors.makeInvoice(order)).made);
  const isSound = made !== undefined && made.expiresAt <= expiresAt;
  return isSound ? made : undefined;
}
