import type {
  ExternalAccount,
  ExternalAccountQuery,
  InternalAccount,
  InternalAccountQuery,
  NewExternalAccount,
  NewPlatformExternalAccount,
  PlatformExternalAccountQuery,
  PlatformInternalAccountQuery,
} from "./account-types.ts";
import type {
  BeneficialOwner,
  BeneficialOwnerChanges,
  BeneficialOwnerQuery,
  Customer,
  CustomerChanges,
  CustomerQuery,
  KycLink,
  NewBeneficialOwner,
  NewCustomer,
  Verification,
  VerificationQuery,
} from "./customer-types.ts";
import type {
  DiscoveryList,
  DiscoveryQuery,
  UmaProvider,
  UmaProviderQuery,
} from "./directory-types.ts";
import type { Invitation, NewInvitation } from "./invitation-types.ts";
import { listPages, type PageList } from "./pages.ts";
import type { SandboxSend } from "./quote-types.ts";
import type {
  AnnouncedUmaPayment,
  ApprovePayment,
  ExternalAccountReceiver,
  PayerQuery,
  RejectPayment,
  UmaReceiver,
} from "./receiver-types.ts";
import { secretPart } from "./request.ts";
import type {
  Transaction,
  TransactionQuery,
  TransferIn,
  TransferOut,
} from "./transaction-types.ts";
import type { ReadOptions, RequestOptions, Send } from "./transport.ts";
import type {
  CreatedToken,
  NewToken,
  Page,
  PlatformConfig,
  PlatformConfigChanges,
  SandboxClock,
  Token,
  TokenQuery,
  WebhookPublicKey,
  WebhookTest,
} from "./types.ts";

export function configCalls(send: Send) {
  return {
    get: (options?: ReadOptions): Promise<PlatformConfig> =>
      send({ method: "GET", path: ["config"] }, options),
    update: (body: PlatformConfigChanges, options?: ReadOptions): Promise<PlatformConfig> =>
      send({ method: "PATCH", path: ["config"], body }, options),
  };
}

export function tokenCalls(send: Send) {
  return {
    create: (body: NewToken, options?: RequestOptions): Promise<CreatedToken> =>
      send({ method: "POST", path: ["tokens"], body }, options),
    list: (query?: TokenQuery, options?: ReadOptions) =>
      list<Token>(send, { path: ["tokens"], query, options }),
    get: (id: string, options?: ReadOptions): Promise<Token> =>
      send({ method: "GET", path: ["tokens", id] }, options),
    delete: (id: string, options?: ReadOptions): Promise<void> =>
      send({ method: "DELETE", path: ["tokens", id] }, options),
  };
}

export function customerCalls(send: Send) {
  return {
    create: (body: NewCustomer, options?: RequestOptions): Promise<Customer> =>
      send({ method: "POST", path: ["customers"], body }, options),
    list: (query?: CustomerQuery, options?: ReadOptions) =>
      list<Customer>(send, { path: ["customers"], query, options }),
    get: (id: string, options?: ReadOptions): Promise<Customer> =>
      send({ method: "GET", path: ["customers", id] }, options),
    update: (id: string, body: CustomerChanges, options?: ReadOptions): Promise<Customer> =>
      send({ method: "PATCH", path: ["customers", id], body }, options),
    delete: (id: string, options?: ReadOptions): Promise<Customer> =>
      send({ method: "DELETE", path: ["customers", id] }, options),
    /** Pages where the customer brings what its verification needs. */
    createKycLink: (
      id: string,
      body: { readonly redirectUri?: string } = {},
      options?: RequestOptions,
    ): Promise<KycLink> =>
      send({ method: "POST", path: ["customers", id, "kyc-link"], body }, options),
  };
}

export function beneficialOwnerCalls(send: Send) {
  const path = ["beneficial-owners"];
  type Owner = BeneficialOwner;
  return {
    create: (body: NewBeneficialOwner, options?: RequestOptions): Promise<Owner> =>
      send({ method: "POST", path, body }, options),
    list: (query: BeneficialOwnerQuery, options?: ReadOptions) =>
      list<Owner>(send, { path, query, options }),
    get: (id: string, options?: ReadOptions): Promise<Owner> =>
      send({ method: "GET", path: [...path, id] }, options),
    update: (id: string, body: BeneficialOwnerChanges, options?: ReadOptions): Promise<Owner> =>
      send({ method: "PATCH", path: [...path, id], body }, options),
  };
}

export function verificationCalls(send: Send) {
  const path = ["verifications"];
  return {
    /** Submits a customer; what is missing stands in the answer's `errors`. */
    create: (
      body: { readonly customerId: string },
      options?: RequestOptions,
    ): Promise<Verification> => send({ method: "POST", path, body }, options),
    list: (query?: VerificationQuery, options?: ReadOptions) =>
      list<Verification>(send, { path, query, options }),
    get: (id: string, options?: ReadOptions): Promise<Verification> =>
      send({ method: "GET", path: [...path, id] }, options),
  };
}

export function internalAccountCalls(send: Send) {
  return {
    listForCustomers: (query?: InternalAccountQuery, options?: ReadOptions) =>
      list<InternalAccount>(send, { path: ["customers", "internal-accounts"], query, options }),
    listForPlatform: (query?: PlatformInternalAccountQuery, options?: ReadOptions) =>
      list<InternalAccount>(send, { path: ["platform", "internal-accounts"], query, options }),
  };
}

export function externalAccountCalls(send: Send) {
  const customers = ["customers", "external-accounts"];
  const platform = ["platform", "external-accounts"];
  type Account = ExternalAccount;
  return {
    createForCustomer: (body: NewExternalAccount, options?: RequestOptions): Promise<Account> =>
      send({ method: "POST", path: customers, body }, options),
    listForCustomers: (query?: ExternalAccountQuery, options?: ReadOptions) =>
      list<Account>(send, { path: customers, query, options }),
    getForCustomer: (id: string, options?: ReadOptions): Promise<Account> =>
      send({ method: "GET", path: [...customers, id] }, options),
    deleteForCustomer: (id: string, options?: ReadOptions): Promise<void> =>
      send({ method: "DELETE", path: [...customers, id] }, options),
    createForPlatform: (
      body: NewPlatformExternalAccount,
      options?: RequestOptions,
    ): Promise<Account> => send({ method: "POST", path: platform, body }, options),
    listForPlatform: (query?: PlatformExternalAccountQuery, options?: ReadOptions) =>
      list<Account>(send, { path: platform, query, options }),
    getForPlatform: (id: string, options?: ReadOptions): Promise<Account> =>
      send({ method: "GET", path: [...platform, id] }, options),
    deleteForPlatform: (id: string, options?: ReadOptions): Promise<void> =>
      send({ method: "DELETE", path: [...platform, id] }, options),
  };
}

export function discoveryCalls(send: Send) {
  return {
    list: (query?: DiscoveryQuery, options?: ReadOptions): Promise<DiscoveryList> =>
      send({ method: "GET", path: ["discoveries"], query, isList: true }, options),
  };
}

export function umaProviderCalls(send: Send) {
  return {
    list: (query?: UmaProviderQuery, options?: ReadOptions) =>
      list<UmaProvider>(send, { path: ["uma-providers"], query, options }),
  };
}

export function invitationCalls(send: Send) {
  return {
    create: (body: NewInvitation, options?: RequestOptions): Promise<Invitation> =>
      send({ method: "POST", path: ["invitations"], body }, options),
    get: (code: string, options?: ReadOptions): Promise<Invitation> =>
      send({ method: "GET", path: ["invitations", secretPart(code)] }, options),
    claim: (
      code: string,
      body: { readonly inviteeUma: string },
      options?: RequestOptions,
    ): Promise<Invitation> =>
      send({ method: "POST", path: ["invitations", secretPart(code), "claim"], body }, options),
    cancel: (code: string, options?: RequestOptions): Promise<Invitation> =>
      send({ method: "POST", path: ["invitations", secretPart(code), "cancel"] }, options),
  };
}

export function transferCalls(send: Send) {
  return {
    out: (body: TransferOut, options?: RequestOptions): Promise<Transaction> =>
      send({ method: "POST", path: ["transfer-out"], body }, options),
    in: (body: TransferIn, options?: RequestOptions): Promise<Transaction> =>
      send({ method: "POST", path: ["transfer-in"], body }, options),
  };
}

export function transactionCalls(send: Send) {
  return {
    list: (query?: TransactionQuery, options?: ReadOptions) =>
      list<Transaction>(send, { path: ["transactions"], query, options }),
    get: (id: string, options?: ReadOptions): Promise<Transaction> =>
      send({ method: "GET", path: ["transactions", id] }, options),
    approve: (id: string, body?: ApprovePayment, options?: RequestOptions): Promise<Transaction> =>
      send({ method: "POST", path: ["transactions", id, "approve"], body: body ?? {} }, options),
    reject: (id: string, body?: RejectPayment, options?: RequestOptions): Promise<Transaction> =>
      send({ method: "POST", path: ["transactions", id, "reject"], body: body ?? {} }, options),
  };
}

export function receiverCalls(send: Send) {
  return {
    atUmaAddress: (
      umaAddress: string,
      query?: PayerQuery,
      options?: ReadOptions,
    ): Promise<UmaReceiver> =>
      send({ method: "GET", path: ["receiver", "uma", umaAddress], query }, options),
    atExternalAccount: (
      accountId: string,
      query?: PayerQuery,
      options?: ReadOptions,
    ): Promise<ExternalAccountReceiver> =>
      send({ method: "GET", path: ["receiver", "external-account", accountId], query }, options),
  };
}

export function sandboxCalls(send: Send) {
  return {
    fund: (
      accountId: string,
      body: { readonly amount: number },
      options?: RequestOptions,
    ): Promise<InternalAccount> =>
      send(
        { method: "POST", path: ["sandbox", "internal-accounts", accountId, "fund"], body },
        options,
      ),
    /** Follows the payment instructions of a quote; the quote's total when no amount is given. */
    send: (body: SandboxSend, options?: RequestOptions): Promise<Transaction> =>
      send({ method: "POST", path: ["sandbox", "send"], body }, options),
    receiveUmaPayment: (
      body: AnnouncedUmaPayment,
      options?: RequestOptions,
    ): Promise<Transaction> =>
      send({ method: "POST", path: ["sandbox", "uma", "receive"], body }, options),
    advanceClock: (
      body: { readonly seconds: number },
      options?: RequestOptions,
    ): Promise<SandboxClock> =>
      send({ method: "POST", path: ["sandbox", "clock", "advance"], body }, options),
    clock: (options?: ReadOptions): Promise<SandboxClock> =>
      send({ method: "GET", path: ["sandbox", "clock"] }, options),
    testWebhook: (options?: ReadOptions): Promise<WebhookTest> =>
      send({ method: "POST", path: ["sandbox", "webhooks", "test"] }, options),
  };
}

export function webhookCalls(send: Send) {
  return {
    publicKey: (options?: ReadOptions): Promise<WebhookPublicKey> =>
      send({ method: "GET", path: ["webhooks", "public-key"] }, options),
  };
}

interface ListCall {
  readonly path: readonly string[];
  readonly query: object | undefined;
  readonly options: ReadOptions | undefined;
}

export function list<Item>(send: Send, call: ListCall): PageList<Item> {
  return listPages((cursor) => {
    const query = cursor === undefined ? call.query : { ...call.query, cursor };
    const { path, options } = call;
    return send<Page<Item>>({ method: "GET", path, query, isList: true }, options);
  });
}
