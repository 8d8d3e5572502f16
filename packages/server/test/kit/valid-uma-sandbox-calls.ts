/** An open invoice on the built-in layer of sandboxes, and valid calls of what a sandbox provokes at UMA. */
import { derivedKey } from "../../src/boot/derived-key.ts";
import { openInvoice } from "../../src/domain/uma/incoming/open-invoice.ts";
import { sandboxInvoices } from "../../src/jobs/rails/sandbox-invoice.ts";
import type { Make } from "./made-objects.ts";
import { httpReceiver } from "./receivers.ts";
import type { Story } from "./story.ts";
import { expectStatus } from "./story-rails.ts";
import { setNetwork } from "./story-uma-sandboxes.ts";
import { setEndpoint } from "./story-webhooks.ts";
import { invoicedTransaction } from "./valid-uma-payment-calls.ts";

export async function sandboxInvoice(story: Story): Promise<string> {
  await setNetwork(story, "PROTOCOL");
  // Earlier calls may have set an endpoint that answers otherwise, or changed the key by which a receiver of the kit judges what comes.
  const { url } = await httpReceiver((_, response) => response.writeHead(202).end());
  await setEndpoint(story, url);
  const id = await invoicedTransaction(story);
  expectStatus(200, await story.call("POST", `/transactions/${id}/approve`, {}));
  const invoiceId = id.replace("Transaction:", "");
  const { platformId, server } = story;
  const expiresAt = Date.now() + 300_000;
  const about = { platformId, invoiceId, amountMinor: 100n, identifier: "USD", until: expiresAt };
  const text = sandboxInvoices(derivedKey(server.app.store, "sandbox invoices")).write(about);
  await server.app.engine.submit({
    platformId,
    actor: { kind: "worker", id: "uma" },
    command: openInvoice,
    input: {
      ...{ invoiceId, text, expiresAt, leftMs: 300_000 },
      ...{ nodePubKey: null, utxos: [] },
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  return id;
}

export const umaSandboxObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  SandboxInvoicedTransaction: sandboxInvoice,
};

export const umaSandboxCalls: Readonly<Record<string, Make>> = {
  payUmaInvoice: async (story) => ({
    path: `/sandbox/uma/invoices/${await sandboxInvoice(story)}/pay`,
    body: { outcome: "EXACT" },
  }),
  setUmaFaults: () => ({ path: "/sandbox/uma/faults", body: { kind: "HANG", next: 0 } }),
};
