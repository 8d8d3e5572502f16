/**
 * Every column whose values are sealed under the master key, with the associated data of each. Answers in the command log and
 * files are sealed under the data key, which itself is in this list.
 */

import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import { customers } from "../domain/customers/customer.ts";
import { endpointKeyIdentity, webhookEndpoints } from "../domain/events/webhook-endpoint.ts";
import { approvals, contentIdentity } from "../domain/people/approvals/approval.ts";
import { linkUrlIdentity, personLinks } from "../domain/people/person-link.ts";
import { clientSecretIdentity, ssoIssuers } from "../domain/people/single-sign-on/sso-issuer.ts";
import { platforms, webhookKeyIdentity } from "../domain/platform.ts";
import { headersIdentity, rateSources } from "../domain/prices/rate-sources/rate-source.ts";
import {
  railConnections,
  sealedColumnOf,
  secretIdentity,
  secretNames,
} from "../domain/rails/connections/rail-connection.ts";
import { codeIdentity, credentials } from "../domain/wallets/credentials/credential.ts";
import { ISSUER_KEY_FACT } from "../domain/wallets/issuer-key.sql.ts";
import { identityOf } from "../http/operations/customers/customer-body.ts";
import { ISSUER_KEY_IDENTITY } from "../outside/wallets/issuer-key.ts";
import { walletIdentity } from "../outside/wallets/new-wallet.ts";
import { DATA_KEY_FACT, DATA_KEY_IDENTITY } from "../secrets/data-key.ts";
import type { Table, TableRow } from "../tables/tables.ts";
import { FIRST_CREDENTIALS_FACT, FIRST_CREDENTIALS_IDENTITY } from "./first-credentials.ts";

export interface SealedColumn {
  readonly table: Table<TableRow>;
  /** As the rows name it. */
  readonly column: string;
  identityOf(platformId: string, row: TableRow): string;
}

export const sealedColumns: readonly SealedColumn[] = [
  column(platforms, "webhookPrivateKeySealed", (platformId) => webhookKeyIdentity(platformId)),
  column(platforms, "webhookNextKeySealed", (platformId) => webhookKeyIdentity(platformId)),
  column(webhookEndpoints, "secretSealed", (platformId, { keyId }) =>
    endpointKeyIdentity(platformId, keyId),
  ),
  column(webhookEndpoints, "nextSecretSealed", (platformId, { nextKeyId }) =>
    endpointKeyIdentity(platformId, nextKeyId ?? ""),
  ),
  ...secretNames.map((name) =>
    column(railConnections, sealedColumnOf(name), (platformId, { sealId }) =>
      secretIdentity(platformId, sealId, name),
    ),
  ),
  column(rateSources, "headersSealed", (platformId, { sealId }) =>
    headersIdentity(platformId, sealId),
  ),
  column(ssoIssuers, "clientSecretSealed", (platformId, { sealId }) =>
    clientSecretIdentity(platformId, sealId),
  ),
  column(personLinks, "urlSealed", (platformId, { codeHash }) =>
    linkUrlIdentity(platformId, codeHash),
  ),
  column(approvals, "contentSealed", (platformId, { sealId }) =>
    contentIdentity(platformId, sealId),
  ),
  column(customers, "identitySealed", (platformId, { platformCustomerId }) =>
    identityOf(platformId, platformCustomerId),
  ),
  column(internalAccounts, "walletMnemonicSealed", (platformId, { id }) =>
    walletIdentity(platformId, id),
  ),
  column(credentials, "codeSealed", (platformId, { code }) =>
    codeIdentity(platformId, code?.id ?? ""),
  ),
];

/** Sealed values among the facts of the deployment. */
export const sealedFacts = [
  { name: DATA_KEY_FACT, identity: DATA_KEY_IDENTITY },
  { name: FIRST_CREDENTIALS_FACT, identity: FIRST_CREDENTIALS_IDENTITY },
  { name: ISSUER_KEY_FACT, identity: ISSUER_KEY_IDENTITY },
] as const;

function column<Row extends TableRow>(
  table: Table<Row>,
  name: keyof Row & string,
  identity: (platformId: string, row: Row) => string,
): SealedColumn {
  return {
    table: table as unknown as Table<TableRow>,
    column: name,
    identityOf: (platformId, row) => identity(platformId, row as Row),
  };
}
