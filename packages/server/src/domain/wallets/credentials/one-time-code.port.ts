/** One-time codes: made and hashed outside of commands, under keys of the deployment. */
import type { EmbeddedWalletConfig } from "../../platform.ts";

/** A code that can be put into a credential. The code itself is inside `sealed` and nowhere else. */
export interface NewCode {
  readonly id: string;
  readonly digest: string;
  readonly sealed: string;
  readonly lifetimeMs: number;
}

export interface OneTimeCodes {
  issue(platformId: string, config: EmbeddedWalletConfig | null): NewCode;
  /** The keyed hash of a guess at the code of this id, hexadecimal. */
  digestOf(platformId: string, codeId: string, guess: string): string;
  /** Unseals the code for its mail. */
  open(platformId: string, codeId: string, sealed: string): string;
}
