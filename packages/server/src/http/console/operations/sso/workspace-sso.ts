import { randomBytes } from "node:crypto";
import type { Static } from "typebox";
import { platformOfHandle } from "../../../../domain/platforms/platform.sql.ts";
import {
  changeSso,
  type SealedClientSecret,
  type WantedIssuer,
} from "../../../../domain/single-sign-on/change-sso.ts";
import { findSsoSettings, listSsoIssuers } from "../../../../domain/single-sign-on/sso.sql.ts";
import { clientSecretIdentity } from "../../../../domain/single-sign-on/sso-issuer.ts";
import { ssoNameHandle } from "../../../../domain/single-sign-on/sso-settings.ts";
import { type FieldError, invalidField, Refusal } from "../../../../engine/refusal.ts";
import type { Sealer } from "../../../../secrets/sealing.ts";
import { isJsonObject, type JsonObject } from "../../../../std/json.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { parseId } from "../../../../wire/ids.ts";
import {
  SsoBodySchema,
  SsoSchema,
  ssoBodyExample,
  ssoExample,
  ssoJson,
} from "../../../../wire/people/sso.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type PersonPrincipal,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitFound } from "../../../request/submit-found.ts";
import { redirectUriAt } from "../../sso/sso-pages.ts";

const answers = {
  200: { description: "What is set.", schema: SsoSchema, example: ssoExample },
} as const;

export const getSso = defineOperation({
  id: "getSso",
  method: "GET",
  path: "/workspace/sso",
  access: "PERSON",
  capability: "settings.read",
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

export const updateSso = defineOperation({
  id: "updateSso",
  method: "PUT",
  path: "/workspace/sso",
  access: "PERSON",
  capability: "workspace.write",
  tag: "Workspace",
  summary: "Set sign-in by issuers",
  description:
    "What is sent replaces what is set. An issuer that is left out is removed, which ends the sessions that it opened. One whose URL, " +
    "client or secret changes must be tested again. A sign-in can be required once one was tested: `GET " +
    "/console/sso/start?for=test&issuer=…` in a browser.",
  body: SsoBodySchema,
  requestExample: ssoBodyExample,
  answers,
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeSso,
  async handle({ principal, body }, { engine, reads, sealer, people }: Services) {
    const { workspaceId, personId } = principal;
    const answered = await submitFound(engine, principal, {
      command: changeSso,
      async find() {
        await refuseTakenNames(reads, workspaceId, body.names);
        const issuers = body.issuers.map((issuer, index) =>
          wantedIssuer(issuer, index, { workspaceId, sealer }),
        );
        return { names: body.names, isRequired: body.isRequired, issuers, by: personId };
      },
      toAnswer: (changed) => ({
        status: 200,
        body: ssoJson(changed, redirectUriAt(people.place(), workspaceId)),
      }),
    });
    people.sessions.forget();
    return answered;
  },
});

/** Addresses that this server may call, each once. */
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

type SentIssuer = Static<typeof SsoBodySchema>["issuers"][number];

function wantedIssuer(
  { id, clientSecret, autoJoin = null, ...rest }: SentIssuer,
  index: number,
  { workspaceId, sealer }: { readonly workspaceId: string; readonly sealer: Sealer },
): WantedIssuer {
  const known = id === undefined ? undefined : parseId("SsoIssuer", id);
  if (id !== undefined && known === undefined)
    throw invalidField(`issuers.${index}.id`, "must be an issuer of the workspace");
  const secret = clientSecret === undefined ? undefined : seal(clientSecret, workspaceId, sealer);
  return { ...rest, id: known, secret, autoJoin };
}

function seal(secret: string, workspaceId: string, sealer: Sealer): SealedClientSecret {
  const sealId = randomBytes(8).toString("hex");
  return { sealId, sealed: sealer.seal(secret, clientSecretIdentity(workspaceId, sealId)) };
}
