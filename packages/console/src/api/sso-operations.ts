/** Console operations on the identity providers (issuers) of the workspace. */
export interface AutoJoin {
  readonly domain: string;
  readonly role: "VIEWER";
}

export interface SsoIssuer {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly autoJoin: AutoJoin | null;
  readonly testedAt?: string;
}

export interface Sso {
  readonly names: readonly string[];
  readonly isRequired: boolean;
  readonly issuers: readonly SsoIssuer[];
  readonly redirectUri: string;
}

/** The whole setting: the server replaces the stored one. */
export interface SsoChange {
  readonly names: readonly string[];
  readonly isRequired: boolean;
  readonly issuers: readonly (Omit<SsoIssuer, "id" | "testedAt"> & {
    readonly id?: string;
    readonly clientSecret?: string;
  })[];
}

export interface SsoChoices {
  readonly workspace: string;
  readonly issuers: readonly {
    readonly id: string;
    readonly name: string;
    readonly host: string;
    readonly url: string;
  }[];
}

export interface SsoOperations {
  readonly getSso: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["workspace", "sso"] };
    readonly answer: Sso;
  };
  readonly updateSso: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["workspace", "sso"];
      readonly body: SsoChange;
    };
    readonly answer: Sso;
  };
}

/** The address that sends a signed-in person to an issuer and back to this page. */
export function issuerPage(purpose: "step-up" | "test", issuerId: string): string {
  const query = new URLSearchParams({ for: purpose, issuer: issuerId, to: location.pathname });
  return `/console/sso/start?${query}`;
}
