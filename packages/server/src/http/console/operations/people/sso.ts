import { randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { SealedClientSecret } from "../../../../domain/people/single-sign-on/change-sso.ts";
import {
  type AgreedSsoInput,
  changeSsoOrder,
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
import { type FieldError, invalidField, Refusal } from "../../../../engine/refusal.ts";
import { SealBroken } from "../../../../secrets/sealing.ts";
import { present } from "../../../../std/assert.ts";
import { isJsonObject, type JsonObject } from "../../../../std/json.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { parseId } from "../../../../wire/ids.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  issuersField,
  namesField,
  SsoBodySchema,
  SsoSchema,
  ssoBodyExample,
  ssoExample,
  ssoJson,
} from "../../../../wire/people/sso.ts";
import type { OrderPlace } from "../../../approvals/act.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type PersonPrincipal,
  route,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { redirectUriAt } from "../../sso/sso-pages.ts";
import { workspacePlace } from "./find-approval.ts";

type SsoTools = Pick<Services, "reads" | "sealer">;

/** The content is shown to people, so the client secrets in it are sealed. */
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
  /** The settings before the change, which are shown beside it. */
  before: Type.Unsafe<AgreedSsoInput["shown"]>({ type: "object" }),
});

async function ssoContent(
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

/** The input of a change that another owner approved. Refuses names that another workspace has, and secrets that cannot be opened. */
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

/** Seals the secret again: the master key may have changed meanwhile, and `florin reseal` does not cover the content of orders. */
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

const answers = {
  200: { description: "What is set.", schema: SsoSchema, example: ssoExample },
} as const;

const getSso = defineOperation({
  id: "getSso",
  ...route("GET /workspace/sso", "PERSON", "settings.read"),
  tag: "Workspace",
  summary: "Get sign-in by issuers",
  answers,
  refusals: [],
  async handle({ principal: { workspaceId } }, { reads, people }: Services) {
    const [settings, issuers] = await Promise.all([
      findSsoSettings(reads, workspaceId),
      listSsoIssuers(reads, workspaceId),
    ]);
    return {
      status: 200,
      body: ssoJson({ settings, issuers }, redirectUriAt(people.place(), workspaceId)),
    };
  },
});

const updateSso = defineOperation({
  id: "updateSso",
  ...route("PUT /workspace/sso", "PERSON", "workspace.write"),
  tag: "Workspace",
  summary: "Set sign-in by issuers",
  description:
    "What is sent replaces what is set. An issuer that is left out is removed, which ends the sessions that it opened. One whose URL, " +
    "client or secret changes must be tested again. A sign-in can be required once one was tested: `GET " +
    "/console/sso/start?for=test&issuer=…` in a browser. In production a new issuer, another URL or client of one, and the end of a " +
    "required sign-in wait for another owner, where there is one; every owner gets a mail.",
  body: SsoBodySchema,
  requestExample: ssoBodyExample,
  answers: { ...answers, 202: waitingForPeople },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeSso,
  async handle({ principal, body }, services: Services) {
    const { workspaceId, personId } = principal;
    const { people } = services;
    const content = await ssoContent(services, workspaceId, body);
    const { environment, place } = await workspacePlace(services, principal);
    const { names, isRequired, issuers } = content;
    const answered = await submitHeld(
      services,
      { ...principal, environment },
      {
        order: changeSsoOrder,
        content,
        input: { names, isRequired, issuers, by: personId },
        place,
        toAnswer: (changed) => ({
          status: 200,
          body: ssoJson(changed, redirectUriAt(people.place(), workspaceId)),
        }),
      },
    );
    people.sessions.forget();
    return answered;
  },
});

/** Each issuer must have an address that this server may call, and must be listed only once. */
function judgeSso(
  { issuers }: JsonObject,
  { context }: JudgeSurroundings<Services, PersonPrincipal>,
): Judgement<undefined> {
  const seen = new Set<string>();
  const errors = (Array.isArray(issuers) ? issuers : []).flatMap((one, index): FieldError[] => {
    const { issuer } = isJsonObject(one) ? one : {};
    if (typeof issuer !== "string" || issuer === "") return [];
    const field = `issuers.${index}.issuer`;
    const message = /[?#]/.test(issuer)
      ? "must have no query and no fragment"
      : context.people.sso.judgeIssuer(issuer);
    if (message !== undefined) return [{ field, message }];
    if (seen.has(issuer)) return [{ field, message: "is there already" }];
    seen.add(issuer);
    return [];
  });
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

export const ssoOperations = [getSso, updateSso];
