/** Reads of wallets, by operations before their command and by lists. */
import type { Reads } from "../../postgres/database.ts";
import { finderOf } from "../../tables/find-row.ts";
import { type InternalAccount, internalAccounts } from "../accounts/internal/internal-account.ts";
import { type Credential, credentials } from "./credentials/credential.ts";
import { passkeyChallenges } from "./credentials/passkey-challenge.ts";
import { type Session, sessions } from "./session.ts";
import { signedRequests } from "./signed-request.ts";

/** Joins the owner of `a`, an internal account: one whose customer was deleted has none. */
const WITH_OWNER =
  "join internal_accounts a on a.platform_id = t.platform_id and a.id = t.account_id " +
  "join customers c on c.platform_id = a.platform_id and c.id = a.customer_id and c.deleted_at is null";

/** The platform's time, when the host's is the parameter. */
const platformTime = (parameter: string) =>
  `${parameter}::timestamptz + h.clock_offset_ms * interval '1 millisecond'`;

export interface WalletFacts {
  readonly account: InternalAccount;
  readonly email: string | null;
  /** Whether the wallet has a live credential; once true, it stays true. */
  readonly hasCredentials: boolean;
}

const walletById = {
  name: "wallets/get",
  text:
    "select c.email, exists (select 1 from wallet_credentials w where w.platform_id = $1::uuid " +
    `and w.account_id = t.id and w.revoked_at is null), ${internalAccounts.selectList("t")} ` +
    "from internal_accounts t join customers c on c.platform_id = t.platform_id and c.id = t.customer_id " +
    "and c.deleted_at is null where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findWallet(
  reads: Reads,
  platformId: string,
  accountId: string,
): Promise<WalletFacts | undefined> {
  const [cells] = await reads.cells(walletById, [platformId, accountId]);
  if (cells === undefined) return undefined;
  const [email = null, hasCredentials] = cells;
  return {
    account: internalAccounts.decode(cells, 2),
    email,
    hasCredentials: hasCredentials === "t",
  };
}

const credentialById = {
  name: "wallet_credentials/get",
  text:
    `select ${credentials.selectList("t")} from wallet_credentials t ${WITH_OWNER} ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.revoked_at is null",
};

export async function findCredential(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Credential | undefined> {
  const [credential] = await reads.rows(credentials, credentialById, [platformId, id]);
  return credential;
}

const credentialsOfAccount = {
  name: "wallet_credentials/list",
  text:
    `select ${credentials.selectList("t")} from wallet_credentials t ${WITH_OWNER} ` +
    "where t.platform_id = $1::uuid and t.account_id = $2::uuid and t.revoked_at is null " +
    "order by t.id desc",
};

/** All live credentials, newest first. An account has few, so there are no pages. */
export function listCredentials(
  reads: Reads,
  platformId: string,
  accountId: string,
): Promise<readonly Credential[]> {
  return reads.rows(credentials, credentialsOfAccount, [platformId, accountId]);
}

const sessionsOfAccount = {
  name: "wallet_sessions/list",
  text:
    `select ${sessions.selectList("t")} from wallet_sessions t ${WITH_OWNER} ` +
    "join platform_heads h on h.platform_id = t.platform_id " +
    "where t.platform_id = $1::uuid and t.account_id = $2::uuid and t.ended_at is null " +
    `and t.expires_at > ${platformTime("$3")} order by t.id desc`,
};

/** All active sessions, newest first. An account has few, so there are no pages. */
export function listSessions(
  reads: Reads,
  platformId: string,
  of: { readonly accountId: string; readonly now: string },
): Promise<readonly Session[]> {
  return reads.rows(sessions, sessionsOfAccount, [platformId, of.accountId, of.now]);
}

const activeKey = {
  name: "wallet_sessions/active-key",
  text:
    `select 1 from wallet_sessions t ${WITH_OWNER} join platform_heads h on h.platform_id = t.platform_id ` +
    "where t.platform_id = $1::uuid and t.account_id = $2::uuid and t.public_key = $3::text " +
    `and t.ended_at is null and t.expires_at > ${platformTime("$4")}`,
};

/** Whether this is the key of an active session. A preliminary check: the command decides. */
export async function isActiveKey(
  reads: Reads,
  platformId: string,
  key: { readonly accountId: string; readonly publicKey: string; readonly now: string },
): Promise<boolean> {
  const values = [platformId, key.accountId, key.publicKey, key.now];
  return (await reads.cells(activeKey, values)).length > 0;
}

export const findRequest = finderOf(signedRequests);

export const findPasskeyChallenge = finderOf(passkeyChallenges);
