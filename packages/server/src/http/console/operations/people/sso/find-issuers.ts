import Type from "typebox";
import { domainOf } from "../../../../../domain/people/single-sign-on/judge-identity.ts";
import {
  listSsoIssuers,
  workspaceOfSsoName,
} from "../../../../../domain/people/single-sign-on/sso.sql.ts";
import { findWorkspace } from "../../../../../domain/people/workspaces/workspace.sql.ts";
import { Refusal } from "../../../../../engine/refusal.ts";
import { toWireId } from "../../../../../std/ids.ts";
import { filledText } from "../../../../../wire/fields.ts";
import { SsoChoicesSchema, ssoChoicesExample } from "../../../../../wire/people/sso.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { SSO_START } from "../../../sso/sso-pages.ts";
import { limited } from "../entry/visitor.ts";

export const findIssuers = defineOperation({
  id: "findIssuers",
  method: "POST",
  path: "/sign-in/sso",
  access: "PUBLIC",
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Find the issuers of a workspace",
  description:
    "By a name of the workspace or an address. Of an address the domain alone counts, so the answer does not tell whether there is " +
    "a person with it. After ten names that lead nowhere, or sixty of an address, in ten minutes it answers 429.",
  body: Type.Object({ workspace: filledText(320) }),
  requestExample: { workspace: "ana@acme.example" },
  answers: {
    200: {
      description: "The issuers.",
      schema: SsoChoicesSchema,
      example: ssoChoicesExample,
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"],
  handle(request, services: Services) {
    const name = domainOf(request.body.workspace.trim().toLowerCase());
    return limited(services, { visit: request, named: `sso name ${name}` }, async () => {
      const { reads } = services;
      const workspaceId = await workspaceOfSsoName(reads, name);
      if (workspaceId === undefined) throw nothingFound();
      const [workspace, issuers] = await Promise.all([
        findWorkspace(reads, workspaceId),
        listSsoIssuers(reads, workspaceId),
      ]);
      if (issuers.length === 0) throw nothingFound();
      const body = {
        workspace: workspace?.name ?? "",
        issuers: issuers.map(({ id, name: shown, issuer }) => ({
          id: toWireId("SsoIssuer", id),
          name: shown,
          host: new URL(issuer).host,
          url: `${SSO_START}?${new URLSearchParams({ workspace: name, issuer: toWireId("SsoIssuer", id) })}`,
        })),
      };
      return { status: 200, body: JSON.stringify(body) };
    });
  },
});

function nothingFound(): Refusal {
  return new Refusal(
    "NOT_FOUND",
    undefined,
    "No workspace of this name, or with this domain, signs in by an issuer. Ask an owner for its name.",
  );
}
