import type { World } from "../../../engine/command.ts";
import { toIso } from "../../../std/clock.ts";
import { isSameOrigin } from "../../../std/url.ts";
import {
  type RailConnection,
  type SecretName,
  sealedColumnOf,
  secretNames,
} from "./rail-connection.ts";

/** A secret that the caller of the command has sealed. */
export interface SealedSecret {
  readonly sealed: string;
  readonly fingerprint: string;
}

/** Null removes a secret. */
export type SentSecrets = Readonly<Partial<Record<SecretName, SealedSecret | null>>>;

/** The connection with these secrets; the others stay. */
export function withSecrets(
  world: World,
  connection: RailConnection,
  sent: SentSecrets,
): RailConnection {
  let changed = connection;
  for (const name of secretNames) {
    const secret = sent[name];
    if (secret === undefined) continue;
    const { [name]: _, ...others } = changed.secretFacts;
    const facts =
      secret === null
        ? others
        : { ...others, [name]: { setAt: toIso(world.at), fingerprint: secret.fingerprint } };
    changed = {
      ...changed,
      [sealedColumnOf(name)]: secret?.sealed ?? null,
      secretFacts: facts,
    };
  }
  return changed;
}

/**
 * The dot paths of the secrets that a change must set again or remove, because it moves the connection to another server. None for a
 * connection that had no address yet.
 */
export function secretsLeftBehind(
  { settings: { baseUrl }, secretFacts }: Pick<RailConnection, "settings" | "secretFacts">,
  moved: Pick<RailConnection, "settings">,
  sent: SentSecrets,
): readonly string[] {
  const stays = baseUrl === undefined || isSameOrigin(baseUrl, moved.settings.baseUrl ?? "");
  if (stays) return [];
  return secretNames
    .filter((name) => secretFacts[name] !== undefined && sent[name] === undefined)
    .map((name) => `secrets.${name}`);
}

/** The members of a connection without secrets. */
export const NO_SECRETS = {
  signingSecretSealed: null,
  callbackSecretSealed: null,
  previousSigningSecretSealed: null,
  previousCallbackSecretSealed: null,
  secretFacts: {},
} as const;
