/** What an institution on one of the official SDKs is asked to do: each call is a few calls of the SDK, with its keys. */

export interface Opening {
  readonly domain: string;
  /** Hexadecimal, of 32 bytes. */
  readonly signingSecret: string;
  readonly encryptionSecret: string;
  /** PEM. */
  readonly signingChain: string;
  readonly encryptionChain: string;
  /** In seconds. */
  readonly expiresAt: number;
}

export type AskedFields = Readonly<Record<string, { readonly mandatory: boolean }>>;

export interface PayWish {
  readonly amount: number;
  /** The amount is of the currency that arrives; else units of the asset. */
  readonly isReceived: boolean;
  readonly currency: string;
  readonly payer: string;
  readonly name: string;
  /** The key document of the receiver. */
  readonly keys: string;
  readonly travelRule?: string;
  readonly payeeData: AskedFields;
  readonly comment?: string;
  readonly utxoCallback: string;
}

export interface SdkCurrency {
  readonly code: string;
  readonly name: string;
  readonly decimals: number;
  /** Millisatoshis for its smallest unit. */
  readonly multiplier: number;
  readonly min: number;
  readonly max: number;
}

interface Signed {
  readonly text: string;
  /** The key document of who signed it. */
  readonly keys: string;
}

type Named = Signed & { readonly payer: string; readonly payee: string };

export interface SdkUtxo {
  readonly utxo: string;
  readonly amountMsats: number;
}

export interface SdkCalls {
  open(given: Opening): { readonly document: string };
  lookUp(given: {
    readonly receiver: string;
    readonly isRegulated: boolean;
    readonly umaVersion?: string | undefined;
  }): { readonly url: string };
  /** The version that it speaks after the answer 412; null: none. */
  speakOf(given: { readonly text: string }): { readonly umaVersion: string | null };
  readLookupAnswer(given: Signed): {
    readonly callback: string;
    readonly umaVersion: string;
    readonly currencies: readonly Omit<SdkCurrency, "name">[];
    readonly payerData: AskedFields;
    readonly receiver: string;
    readonly isRegulated: boolean;
  };
  payRequest(given: PayWish): { readonly text: string };
  readPayAnswer(given: Named): {
    readonly invoice: string;
    readonly amount: number;
    readonly currency: string;
    readonly decimals: number;
    readonly multiplier: number;
    readonly fee: number;
    readonly payeeData: Readonly<Record<string, unknown>>;
  };
  answerLookup(given: {
    readonly url: string;
    readonly keys: string;
    readonly callback: string;
    readonly metadata: string;
    readonly currencies: readonly SdkCurrency[];
    readonly payerData: AskedFields;
    readonly isRegulated: boolean;
  }): { readonly text: string };
  /** The invoice is asked for on the way. */
  answerPayRequest(
    given: Signed & {
      readonly payee: string;
      readonly metadata: string;
      readonly currency: SdkCurrency;
      readonly fee: number;
      readonly payeeData: Readonly<Record<string, unknown>>;
      readonly utxoCallback: string;
    },
  ): {
    readonly text: string;
    /** Opened with the encryption key. */
    readonly travelRule: string | null;
    readonly payerData: Readonly<Record<string, unknown>>;
  };
  hook(given: { readonly utxos: readonly SdkUtxo[] }): { readonly text: string };
  readHook(given: Signed): { readonly vaspDomain: string; readonly utxos: readonly SdkUtxo[] };
}

export type SdkCall = keyof SdkCalls;
export type Given<Name extends SdkCall> = Parameters<SdkCalls[Name]>[0];
export type Result<Name extends SdkCall> = ReturnType<SdkCalls[Name]>;

export interface AskedInvoice {
  readonly amount: number;
  readonly metadata: string;
}

/** It holds the keys of one institution, once they are given by `open`. A refusal of the SDK is an error. */
export interface SdkVasp {
  /** Makes the invoices that it asks for. */
  invoice: (asked: AskedInvoice) => Promise<string>;
  call<Name extends SdkCall>(name: Name, given: Given<Name>): Promise<Result<Name>>;
  close(): Promise<void>;
}

export interface Sdk {
  readonly name: "JavaScript" | "Go" | "Python";
  start(): Promise<SdkVasp>;
}
