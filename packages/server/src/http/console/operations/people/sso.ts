import { changeSsoOrder } from "../../../../domain/people/single-sign-on/held-sso.ts";
import {
  findSsoSettings,
  listSsoIssuers,
} from "../../../../domain/people/single-sign-on/sso.sql.ts";
import type { FieldError } from "../../../../engine/refusal.ts";
import { isJsonObject, type JsonObject } from "../../../../std/json.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  SsoBodySchema,
  SsoSchema,
  ssoBodyExample,
  ssoExample,
  ssoJson,
} from "../../../../wire/people/sso.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type PersonPrincipal,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { redirectUriAt } from "../../sso/sso-pages.ts";
import { workspacePlace } from "./find-approval.ts";
import { ssoContent } from "./held-sso.ts";

const answers = {
  200: { description: "What is set.", schema: SsoSchema, example: ssoExample },
} as const;

const getSso = defineOperation({
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

const updateSso = defineOperation({
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

export const ssoOperations = [getSso, updateSso];
