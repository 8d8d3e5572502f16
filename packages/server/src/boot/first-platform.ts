/** Creates platforms for the operator: the sandbox of a first start, and those of `florin platform create`. */
import { randomBytes } from "node:crypto";
import { generateWebhookKeyPair } from "../domain/events/signature.ts";
import { findTokenByClientId } from "../domain/people/tokens/token.sql.ts";
import {
  findHomelessPlatforms,
  type HomelessPlatform,
} from "../domain/people/workspaces/workspace.sql.ts";
import { createWorkspace } from "../domain/people/workspaces/workspace.ts";
import { anyPlatformId, findPlatform } from "../domain/platform.sql.ts";
import {
  type Environment,
  type SupportedCurrency,
  webhookKeyIdentity,
} from "../domain/platform.ts";
import { createPlatform } from "../domain/platforms/create-platform.ts";
import { hashSecret } from "../domain/token.ts";
import type { ActNote, Actor } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database, Reads } from "../postgres/database.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { present } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { randomIds } from "../std/ids.ts";
import {
  type Credentials,
  type CredentialTools,
  findUnseenCredentials,
  keepFirstCredentials,
} from "./first-credentials.ts";

export interface BootstrapTools {
  readonly engine: Engine;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export interface NewPlatform {
  readonly platformId: string;
  readonly workspaceId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookPublicKey: string;
  /** The UMA domain of the simulated counterparties; null in production. */
  readonly sandboxUmaDomain: string | null;
}

export interface PlatformWish {
  readonly name: string;
  readonly environment: Environment;
  readonly umaDomain: string;
  readonly isRegulated: boolean;
  readonly platformId?: string;
  /** An existing workspace; a new one with the name of the platform when absent. */
  readonly workspaceId?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The person who asks for it; the operator's shell when absent. */
  readonly by?: { readonly actor: Actor; readonly act: ActNote };
}

/** A fixed id for the platform of a first start, so that two servers that start together create one platform. */
const FIRST_PLATFORM_ID = "00000000-0000-7000-8000-000000000001";
const FIRST_WORKSPACE_ID = "00000000-0000-7000-8000-000000000002";

const FIRST_CURRENCIES = ["USD", "EUR", "MXN", "BTC", "USDC", "USDB"] as const;

function currencies(): readonly SupportedCurrency[] {
  return FIRST_CURRENCIES.map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount: 100_000_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  }));
}

/** Creates a workspace, unless it exists. */
async function makeWorkspace(
  { engine }: Pick<BootstrapTools, "engine">,
  { id, name }: HomelessPlatform,
): Promise<void> {
  await engine.openPlatform(id);
  await engine.submit({
    platformId: id,
    actor: { kind: "operator", id: "bootstrap" },
    command: createWorkspace,
    input: { name },
    toAnswer: () => ({ status: 201, body: "" }),
  });
}

/** Creates the workspaces of platforms whose server died before it had created them. */
async function completeWorkspaces(
  tools: Pick<BootstrapTools, "engine">,
  reads: Reads,
): Promise<void> {
  for (const missing of await findHomelessPlatforms(reads)) await makeWorkspace(tools, missing);
}

/** Creates a platform, or answers undefined when it exists. */
export async function makePlatform(
  tools: BootstrapTools,
  wish: PlatformWish,
): Promise<NewPlatform | undefined> {
  const { engine, sealer, clock } = tools;
  const platformId = wish.platformId ?? randomIds().next(clock.now());
  const { clientId, clientSecret } = { ...freshCredentials(), ...wish };
  const { publicKeyPem, privateKeyPkcs8 } = generateWebhookKeyPair();
  const workspaceId = wish.workspaceId ?? randomIds().next(clock.now());
  await engine.openPlatform(platformId);
  const answered = await engine.submit({
    platformId,
    actor: wish.by?.actor ?? { kind: "operator", id: "bootstrap" },
    act: wish.by?.act,
    command: createPlatform,
    input: {
      workspaceId,
      name: wish.name,
      environment: wish.environment,
      umaDomain: wish.umaDomain,
      isRegulatedFinancialInstitution: wish.isRegulated,
      supportedCurrencies: currencies(),
      webhookPublicKey: publicKeyPem,
      webhookPrivateKeySealed: sealer.seal(privateKeyPkcs8, webhookKeyIdentity(platformId)),
      firstToken: { name: "first token", clientId, secretHash: hashSecret(clientSecret) },
    },
    toAnswer: ({ sandboxUmaDomain }) => ({ status: 201, body: sandboxUmaDomain ?? "" }),
  });
  if (answered.status !== 201) {
    await engine.forgetPlatform(platformId);
    return undefined;
  }
  if (wish.workspaceId === undefined || wish.workspaceId === FIRST_WORKSPACE_ID)
    await makeWorkspace(tools, { id: workspaceId, name: wish.name });
  const sandboxUmaDomain = answered.body === "" ? null : answered.body;
  return {
    platformId,
    workspaceId,
    clientId,
    clientSecret,
    webhookPublicKey: publicKeyPem,
    sandboxUmaDomain,
  };
}

/** On the first start of a deployment, creates a sandbox platform to try it with. Answers the credentials to print. */
export async function bootstrap(
  tools: BootstrapTools & { readonly database: Database },
  fixed: { readonly clientId: string | undefined; readonly clientSecret: string | undefined },
): Promise<NewPlatform | undefined> {
  const { database, sealer } = tools;
  const { reads } = database;
  const { clientId, clientSecret } = fixed;
  if ((await anyPlatformId(reads)) === undefined) {
    const isFixed = clientId !== undefined && clientSecret !== undefined;
    const made = await makePlatform(tools, {
      name: "sandbox",
      environment: "SANDBOX",
      umaDomain: "florin.test",
      isRegulated: false,
      platformId: FIRST_PLATFORM_ID,
      workspaceId: FIRST_WORKSPACE_ID,
      ...(isFixed
        ? { clientId, clientSecret }
        : await keepFirstCredentials({ database, sealer }, freshCredentials())),
    });
    if (made !== undefined) return made;
  } else await checkFixedToken(reads, clientId, clientSecret);
  await completeWorkspaces(tools, reads);
  return findUnseen({ database, sealer });
}

/** Credentials of an earlier start that created the platform and did not print them, or of a concurrent one. */
async function findUnseen(tools: CredentialTools): Promise<NewPlatform | undefined> {
  const unseen = await findUnseenCredentials(tools);
  if (unseen === undefined) return undefined;
  const platform = await findPlatform(tools.database.reads, unseen.platformId);
  const { workspaceId, webhookPublicKey, sandboxUmaDomain } = present(
    platform,
    "the platform of a token",
  );
  return { ...unseen, workspaceId, webhookPublicKey, sandboxUmaDomain };
}

function freshCredentials(): Credentials {
  return {
    clientId: randomBytes(16).toString("hex"),
    clientSecret: randomBytes(32).toString("hex"),
  };
}

/** The fixed token is created on the first start; a later start with another secret is refused, since it would not work. */
async function checkFixedToken(
  reads: Reads,
  clientId: string | undefined,
  clientSecret: string | undefined,
): Promise<void> {
  if (clientId === undefined || clientSecret === undefined) return;
  const found = await findTokenByClientId(reads, clientId);
  if (found === undefined || !found.token.secretHash.equals(hashSecret(clientSecret))) {
    throw new StartRefused(
      "BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET do not name a token of this database; they take effect on the first start only",
    );
  }
}
