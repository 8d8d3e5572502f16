/** OpenID Connect, as the sign-in of people uses it: authorization code with PKCE, `state` and `nonce`. */
import type { SsoIssuer } from "./sso-issuer.ts";

/** What binds an answer of an issuer to the browser that asked. */
export interface SignInBinding {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** Whom an issuer vouches for. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; null unless the issuer says that it has verified the address. */
  readonly verifiedEmail: string | null;
  readonly name: string | null;
  /** When the person showed their credentials to the issuer; null when it does not say. */
  readonly authenticatedAt: number | null;
}

/**
 * CANCELLED: the person or the issuer ended it there. UNREACHABLE: the issuer cannot be asked. ISSUER_REFUSED: it does not accept this
 * client or the code. NOT_PROVEN: its answer or its token is not what it must be.
 */
export type FailedSignIn = "CANCELLED" | "UNREACHABLE" | "ISSUER_REFUSED" | "NOT_PROVEN";

export type FinishedSignIn =
  | { readonly kind: "proven"; readonly identity: ProvenIdentity }
  | { readonly kind: "failed"; readonly reason: FailedSignIn };

export type BegunSignIn =
  | { readonly kind: "begun"; readonly url: string }
  | { readonly kind: "failed"; readonly reason: FailedSignIn };

export interface SignInAtIssuer {
  readonly workspaceId: string;
  readonly issuer: SsoIssuer;
  readonly binding: SignInBinding;
}

export interface IdentityProviders {
  /** Where the browser is sent. */
  begin(
    signIn: SignInAtIssuer & {
      readonly redirectUri: string;
      /** The person must show their credentials again. */
      readonly isFresh: boolean;
    },
  ): Promise<BegunSignIn>;
  /** Redeems the code of the URL that the browser came back with, and verifies the token. */
  finish(
    signIn: SignInAtIssuer & { readonly returned: URL; readonly isFresh: boolean },
  ): Promise<FinishedSignIn>;
}
