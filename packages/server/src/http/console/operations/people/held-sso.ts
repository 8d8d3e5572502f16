/** Changes of single sign-on, as they are read from a request and from the content of an approval. */

import { randomBytes } from "node:crypto";
import type { Static } from "typebox";
import Type from "typebox";
import type { SealedClientSecret } from "../../../../domain/people/single-sign-on/change-sso.ts";
import {
  type AgreedSsoInput,
  shownSso,
} from "../../../../domain/people/single-sign-on/held-sso.ts";
import {
  findSsoSettings,
  listSsoIssuers,
} from "../../../../domain/people/single-sign-on/sso.sql.ts";
import {
  clientSecretIdentity,
  MOST_ISSUERS,
} from "../../../../domain/people/single-sign-on/sso-issuer.ts";
import { ssoNameHandle } from "../../../../domain/people/single-sign-on/sso-settings.ts";
import { platformOfHandle } from "../../../../domain/platform.sql.ts";
import { invalidField, Refusal } from "../../../../engine/refusal.ts";
import { SealBroken } from "../../../../secrets/sealing.ts";
import { present } from "../../../../std/assert.ts";
import { parseId } from "../../../../wire/ids.ts";
import type { SsoBodySchema } from "../../../../wire/people/sso.ts";
import { issuersField, namesField } from "../../../../wire/people/sso.ts";
import type { OrderPlace } from "../../../approvals/act.ts";
import type { Services } from "../../../request/services.ts";

type SsoTools = Pick<Services, "reads" | "sealer">;

/** A client secret is in it sealed, because the content is shown. */
export const SsoContent = Type.Object({
  names: namesField,
  isRequired: Type.Boolean(),
  issuers: Type.Array(
    Type.Object({
      ...Type.Omit(issuersField.items, ["clientSecret"]).properties,
      secret: Type.Optional(Type.Object({ sealId: Type.String(), sealed: Type.String() })),
    }),
    { maxItems: MOST_ISSUERS },
  ),
  /** What is set, as it is shown beside the change. */
  before: Type.Unsafe<AgreedSsoInput["shown"]>({ type: "object" }),
});

export async function ssoContent(
  { reads, sealer }: SsoTools,
  workspaceId: string,
  { names, isRequired, issuers }: Static<typeof SsoBodySchema>,
) {
  await refuseTakenNames(reads, workspaceId, names);
  const wanted = issuers.map(({ id, clientSecret, autoJoin = null, ...rest }, index) => {
    const known = id === undefined ? undefined : parseId("SsoIssuer", id);
    if (id !== undefined && known === undefined)
      throw invalidField(`issuers.${index}.id`, "must be an issuer of the workspace");
    const secret = clientSecret === undefined ? undefined : seal(clientSecret, workspaceId, sealer);
    return { ...rest, id: known, secret, autoJoin };
  });
  const before = await readShown(reads, workspaceId);
  return { names, isRequired, issuers: wanted, before };
}

async function readShown(reads: Services["reads"], workspaceId: string) {
  const [settings, issuers] = await Promise.all([
    findSsoSettings(reads, workspaceId),
    listSsoIssuers(reads, workspaceId),
  ]);
  return shownSso(settings, issuers);
}

/** Of a change that another owner has agreed to. Refuses names that another workspace has, and secrets that no longer open. */
export async function agreedSsoInput(
  { names, isRequired, issuers, before: shown }: Static<typeof SsoContent>,
  { services: { reads, sealer }, approval, platformId }: OrderPlace<SsoTools>,
): Promise<AgreedSsoInput> {
  await refuseTakenNames(reads, platformId, names);
  const by = present(approval.requesterId, "the person who asked");
  const wanted = issuers.map(({ id, secret, autoJoin = null, ...issuer }) => ({
    ...issuer,
    id,
    secret: secret && sealAnew(secret, platformId, sealer),
    autoJoin,
  }));
  return { names, isRequired, issuers: wanted, shown, by };
}

async function refuseTakenNames(
  reads: Services["reads"],
  workspaceId: string,
  names: readonly string[],
): Promise<void> {
  for (const [index, name] of names.entries()) {
    const owner = await platformOfHandle(reads, ssoNameHandle(name));
    if (owner === undefined || owner === workspaceId) continue;
    throw new Refusal(
      "CONFLICT",
      { field: `names.${index}` },
      `Another workspace has the name ${name}: use another one.`,
    );
  }
}

function seal(
  secret: string | Buffer,
  workspaceId: string,
  sealer: Services["sealer"],
): SealedClientSecret {
  const sealId = randomBytes(8).toString("hex");
  return { sealId, sealed: sealer.seal(secret, clientSecretIdentity(workspaceId, sealId)) };
}

/** The master key may have changed while the order waited; `florin reseal` does not reach into the content. */
function sealAnew(
  { sealId, sealed }: SealedClientSecret,
  workspaceId: string,
  sealer: Services["sealer"],
): SealedClientSecret {
  try {
    return seal(
      sealer.open(sealed, clientSecretIdentity(workspaceId, sealId)),
      workspaceId,
      sealer,
    );
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new Refusal(
      "CONFLICT",
      { changed: "master key" },
      "The client secret was sealed under a master key that is no longer set; ask again.",
    );
  }
}
