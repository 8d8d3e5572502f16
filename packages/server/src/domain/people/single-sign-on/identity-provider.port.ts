/** OpenID Connect, as the sign-in of people uses it: authorization code with PKCE, `state` and `nonce`. */
import type { SsoIssuer } from "./sso-issuer.ts";

/** Binds the answer of an issuer to the browser that started the sign-in. */
export interface SignInBinding {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/** The identity that an issuer vouches for. */
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
 * CANCELLED: the person or the issuer ended the sign-in there. UNREACHABLE: the issuer does not answer. ISSUER_REFUSED: the issuer does
 * not accept this client or the code. NOT_PROVEN: the issuer's answer or its token is invalid.
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
  /** Returns the URL of the issuer to which the browser is redirected. */
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
