/**
 * The text of an invoice of the built-in layer of sandboxes. It says what is to be paid and where, with a MAC of the deployment, so it is read
 * without a table and made by no other party. The same invoice has one text.
 *
 *   fsbx1 base64url( 16 bytes platform | 16 bytes invoice | 6 bytes end | 8 bytes amount | asset | 16 bytes MAC )
 */
import { createHmac, timingSafeEqual } from "node:crypto";

export interface SandboxInvoice {
  /** Whose customer is paid. */
  readonly platformId: string;
  readonly invoiceId: string;
  /** When it lapses, by the clock of that platform. */
  readonly until: number;
  /** In units of the asset. */
  readonly amountMinor: bigint;
  readonly identifier: string;
}

export interface SandboxInvoices {
  write(invoice: SandboxInvoice): string;
  /** Undefined for a text that this deployment did not make. */
  read(text: string): SandboxInvoice | undefined;
}

const PREFIX = "fsbx1";
const UUID_BYTES = 16;
const UNTIL_AT = 2 * UUID_BYTES;
const AMOUNT_AT = UNTIL_AT + 6;
const IDENTIFIER_AT = AMOUNT_AT + 8;
const MAC_BYTES = 16;

export function sandboxInvoices(key: Buffer): SandboxInvoices {
  const macOf = (content: Buffer) =>
    createHmac("sha256", key).update(content).digest().subarray(0, MAC_BYTES);
  return {
    write({ platformId, invoiceId, until, amountMinor, identifier }) {
      const head = Buffer.alloc(IDENTIFIER_AT);
      head.write(platformId.replaceAll("-", ""), 0, "hex");
      head.write(invoiceId.replaceAll("-", ""), UUID_BYTES, "hex");
      head.writeUIntBE(until, UNTIL_AT, 6);
      head.writeBigInt64BE(amountMinor, AMOUNT_AT);
      const content = Buffer.concat([head, Buffer.from(identifier, "utf8")]);
      return PREFIX + Buffer.concat([content, macOf(content)]).toString("base64url");
    },
    read(text) {
      if (!text.startsWith(PREFIX)) return undefined;
      const bytes = Buffer.from(text.slice(PREFIX.length), "base64url");
      const content = bytes.subarray(0, -MAC_BYTES);
      if (content.length <= IDENTIFIER_AT) return undefined;
      if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(content))) return undefined;
      return {
        platformId: uuidIn(content, 0),
        invoiceId: uuidIn(content, UUID_BYTES),
        until: content.readUIntBE(UNTIL_AT, 6),
        amountMinor: content.readBigInt64BE(AMOUNT_AT),
        identifier: content.toString("utf8", IDENTIFIER_AT),
      };
    },
  };
}

function uuidIn(bytes: Buffer, from: number): string {
  const hex = bytes.toString("hex", from, from + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
