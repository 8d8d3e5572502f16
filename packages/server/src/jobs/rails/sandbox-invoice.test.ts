import { describe, expect, it } from "vitest";
import { type SandboxInvoice, sandboxInvoices } from "./sandbox-invoice.ts";

const invoices = sandboxInvoices(Buffer.alloc(32, 1));
const invoice: SandboxInvoice = {
  platformId: "019a4f00-0000-7000-8000-000000000001",
  invoiceId: "019a4f00-ffff-7000-8000-0000000000ff",
  until: Date.UTC(2026, 10, 29, 12, 0, 0, 123),
  amountMinor: 9_000_000_000_000_000n,
  identifier: "USD",
};

describe("the text of an invoice between sandboxes", () => {
  it("is one text, which says everything", () => {
    const text = invoices.write(invoice);
    expect(text).toMatch(/^fsbx1[\w-]+$/);
    expect(invoices.write(invoice)).toBe(text);
    expect(invoices.read(text)).toEqual(invoice);
  });

  it("is not read after a change of any byte, cut, of another key, or of another layer", () => {
    const text = invoices.write(invoice);
    const bytes = Buffer.from(text.slice(5), "base64url");
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(invoices.read(`fsbx1${changed.toString("base64url")}`)).toBeUndefined();
    }
    const foreign = sandboxInvoices(Buffer.alloc(32, 2)).write(invoice);
    for (const other of [
      "",
      "fsbx1",
      "fsbx1AAAA",
      text.slice(0, -4),
      text.slice(5),
      "lnbc1",
      foreign,
    ])
      expect(invoices.read(other)).toBeUndefined();
  });
});
