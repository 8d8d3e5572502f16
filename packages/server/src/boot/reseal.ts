/**
 * Changes the master key: opens each secret with the key that sealed it and seals it under the current one.
 *
 * Steps: record that the new key seals, so that no server starts without it → read a few rows that are sealed with another
 * key → seal them again → exchange them by a command, which skips rows that changed meanwhile → when a whole pass found
 * none, reseal the deployment's facts → record that the database is sealed with the new key. If the process dies between any
 * two steps, each value is sealed under one of the two keys, and the next run resumes. Servers that know both keys may run
 * beside it.
 */

import { internalAccounts } from "../domain/accounts/internal/internal-account.ts";
import { customers } from "../domain/customers/customer.ts";
import { endpointKeyIdentity, webhookEndpoints } from "../domain/events/webhook-endpoint.ts";
import { approvals, contentIdentity } from "../domain/people/approvals/approval.ts";
import {
  approvalShowings,
  showingIdentity,
} from "../domain/people/approvals/shown/kept-showing.ts";
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
import { travelRuleIdentity, travelRules } from "../domain/uma/incoming/travel-rule.ts";
import { privateKeyIdentity, umaKeys } from "../domain/uma/keys/uma-key.ts";
import { codeIdentity, credentials } from "../domain/wallets/credentials/credential.ts";
import { ISSUER_KEY_FACT } from "../domain/wallets/issuer-key.sql.ts";
import type { Engine } from "../engine/engine.ts";
import { resealRows } from "../engine/reseal-rows.ts";
import { identityOf } from "../http/operations/customers/customer-body.ts";
import { ISSUER_KEY_IDENTITY } from "../outside/wallets/issuer-key.ts";
import { walletIdentity } from "../outside/wallets/new-wallet.ts";
import type { Database } from "../postgres/database.ts";
import { DATA_KEY_FACT, DATA_KEY_IDENTITY } from "../secrets/data-key.ts";
import {
  findFact,
  MASTER_KEY_FACT,
  recordSecondKey,
  settleMasterKey,
} from "../secrets/deployment-facts.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import { BEFORE_ALL_IDS } from "../std/ids.ts";
import type { Table, TableRow } from "../tables/tables.ts";
import { FIRST_CREDENTIALS_FACT, FIRST_CREDENTIALS_IDENTITY } from "./first-credentials.ts";

export interface SealedColumn {
  readonly table: Table<TableRow>;
  /** The name of the member in the rows of the table. */
  readonly column: string;
  identityOf(platformId: string, row: TableRow): string;
}

/**
 * Every column whose values are sealed under the master key, with the associated data of each. Answers in the command log and
 * files are sealed under the data key, which itself is in this list.
 */
export const sealedColumns: readonly SealedColumn[] = [
  column(platforms, "webhookPrivateKeySealed", (platformId) => webhookKeyIdentity(platformId)),
  column(platforms, "webhookNextKeySealed", (platformId) => webhookKeyIdentity(platformId)),
  column(webhookEndpoints, "secretSealed", (platformId, { keyId }) =>
    endpointKeyIdentity(platformId, keyId),
  ),
  column(webhookEndpoints, "nextSecretSealed", (platformId, { nextKeyId }) =>
    endpointKeyIdentity(platformId, nextKeyId ?? ""),
  ),
  column(travelRules, "contentSealed", (platformId, { sealId }) =>
    travelRuleIdentity(platformId, sealId),
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
  column(approvalShowings, "textSealed", (platformId, { sealId }) =>
    showingIdentity(platformId, sealId),
  ),
  column(customers, "identitySealed", (platformId, { platformCustomerId }) =>
    identityOf(platformId, platformCustomerId),
  ),
  column(internalAccounts, "walletMnemonicSealed", (platformId, { id }) =>
    walletIdentity(platformId, id),
  ),
  column(umaKeys, "privateSealed", (platformId, { publicKey }) =>
    privateKeyIdentity(platformId, publicKey),
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

export interface ResealTools {
  readonly database: Database;
  readonly engine: Engine;
  readonly sealer: Sealer;
  /** The id of the new master key. */
  readonly masterKeyId: string;
  /** How many rows are read and exchanged together. */
  readonly rowsAtOnce?: number;
  readonly onProgress?: (resealed: number) => void;
}

const ROWS_AT_ONCE = 100;
const PASSES = 5;

/** Returns the number of secrets that were sealed again. */
export async function resealAll(tools: ResealTools): Promise<number> {
  const { database, masterKeyId } = tools;
  if ((await findFact(database, MASTER_KEY_FACT)) !== masterKeyId) {
    await recordSecondKey(database, masterKeyId);
  }
  let total = 0;
  for (let pass = 0; ; pass += 1) {
    if (pass === PASSES) {
      throw new StartRefused("a server still seals with the older key: restart it with both keys");
    }
    const found = await resealPlatforms(tools, total);
    total += found;
    if (found === 0) break;
  }
  total += await resealFacts(tools);
  await settleMasterKey(database, masterKeyId);
  return total;
}

async function resealPlatforms(tools: ResealTools, before: number): Promise<number> {
  let found = 0;
  for (let platformId = BEFORE_ALL_IDS; ; ) {
    const next = await tools.database.reads.cells(nextPlatform, [platformId]);
    const id = next[0]?.[0] ?? undefined;
    if (id === undefined) return found;
    platformId = id;
    for (const column of sealedColumns) {
      const resealed = await resealColumn(tools, platformId, column);
      found += resealed;
      if (resealed > 0) tools.onProgress?.(before + found);
    }
  }
}

const nextPlatform = {
  name: "platform_heads/after",
  text: "select platform_id from platform_heads where platform_id > $1::uuid order by platform_id limit 1",
};

async function resealColumn(
  { database, engine, sealer, masterKeyId, rowsAtOnce = ROWS_AT_ONCE }: ResealTools,
  platformId: string,
  { table, column, identityOf }: SealedColumn,
): Promise<number> {
  const older = olderThan({ table, column }, masterKeyId);
  let found = 0;
  for (let after = BEFORE_ALL_IDS; ; ) {
    const rows = await database.reads.rows(table, older, [platformId, after, rowsAtOnce]);
    const last = rows.at(-1);
    if (last === undefined) return found;
    const secrets = rows.map((row) => {
      const before = String((row as TableRow & Readonly<Record<string, unknown>>)[column]);
      const identity = identityOf(platformId, row);
      const where = `${table.name}.${column} of row ${row.id}, platform ${platformId}`;
      return { id: row.id, before, after: sealAnew(sealer, before, { identity, where }) };
    });
    await engine.submit({
      platformId,
      actor: { kind: "operator", id: "reseal" },
      command: resealRows,
      input: { table, column, secrets },
      toAnswer: () => ({ status: 200, body: "" }),
    });
    found += rows.length;
    after = last.id;
  }
}

/** Rows sealed with another key, by id. */
function olderThan({ table, column }: Pick<SealedColumn, "table" | "column">, keyId: string) {
  const spec = table.columns.find(({ key }) => key === column);
  const name = `t.${spec?.name ?? column}`;
  return {
    name: `${table.name}/sealed-before/${column}`,
    text:
      `select ${table.selectList("t")} from ${table.name} t where t.platform_id = $1::uuid and t.id > $2::uuid ` +
      `and ${name} is not null and not starts_with(${name}, 'v1.${keyId}.') order by t.id limit $3::int8`,
  };
}

/** Names the value that does not open, so that an operator can find it. */
function sealAnew(
  sealer: Sealer,
  sealed: string,
  { identity, where }: { readonly identity: string; readonly where: string },
): string {
  try {
    return sealer.seal(sealer.open(sealed, identity), identity);
  } catch (error) {
    throw new StartRefused(`${where}: ${messageOf(error)}`, { cause: error });
  }
}

/** A value is exchanged only while it is the one that was opened. */
async function resealFacts({ database, sealer, masterKeyId }: ResealTools): Promise<number> {
  return database.withClient(async (client) => {
    let count = 0;
    for (const { name, identity } of sealedFacts) {
      const kept = await client.query<{ value: string }>(
        "select value from deployment_facts where name = $1",
        [name],
      );
      const before = kept.rows[0]?.value;
      if (before === undefined || before.startsWith(`v1.${masterKeyId}.`)) continue;
      const after = sealAnew(sealer, before, { identity, where: `the fact "${name}"` });
      await client.query("update deployment_facts set value = $3 where name = $1 and value = $2", [
        name,
        before,
        after,
      ]);
      count += 1;
    }
    return count;
  });
}
