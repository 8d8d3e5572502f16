import Type from "typebox";
import {
  joinRoles,
  MOST_ISSUERS,
  type SsoIssuer,
} from "../../domain/people/single-sign-on/sso-issuer.ts";
import { MOST_NAMES, type SsoSettings } from "../../domain/people/single-sign-on/sso-settings.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { formedText, sensitive } from "../../validation/schema.ts";
import { DateTimeSchema, filledText } from "../fields.ts";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

const nameField = formedText(
  `^${LABEL}(?:\\.${LABEL})*$`,
  "must be a word or a domain in lower case",
  { minLength: 2, maxLength: 253, examples: ["acme", "acme.example"] },
);

const autoJoinField = Type.Union(
  [
    Type.Object({
      domain: formedText(`^${LABEL}(?:\\.${LABEL})+$`, "must be a domain in lower case", {
        maxLength: 253,
      }),
      role: Type.Enum([...joinRoles]),
    }),
    Type.Null(),
  ],
  {
    description:
      "People with a verified address of this domain are taken in with this role at their first sign-in. Null takes in none.",
  },
);

export const namesField = Type.Array(nameField, {
  maxItems: MOST_NAMES,
  uniqueItems: true,
  description:
    "What people type on the sign-in page: a word, or the domain of their address. A name belongs to one workspace of the deployment, for good.",
});

const requiredField = Type.Boolean({
  description: "People other than owners sign in by an issuer alone, not by a passkey.",
});

export const issuersField = Type.Array(
  Type.Object({
    id: Type.Optional(
      Type.String({ maxLength: 64, description: "`SsoIssuer:<uuid>`; none for a new one." }),
    ),
    name: filledText(60),
    issuer: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Its URL, exactly as it stands in the `iss` of its tokens.",
    }),
    clientId: formedText("^[\\x21-\\x7e]+$", "must have printable ASCII characters alone", {
      maxLength: 255,
    }),
    clientSecret: Type.Optional(
      formedText("^[\\x20-\\x7e]+$", "must have printable ASCII characters alone", {
        maxLength: 1_024,
        ...sensitive,
        description:
          "Kept sealed and never shown. Needed for a new issuer, and where the URL changes.",
      }),
    ),
    autoJoin: Type.Optional(autoJoinField),
  }),
  { maxItems: MOST_ISSUERS, description: "An issuer that is left out is removed." },
);

export const SsoSchema = Type.Object(
  {
    names: namesField,
    isRequired: requiredField,
    issuers: Type.Array(
      Type.Object({
        id: Type.String({ description: "`SsoIssuer:<uuid>`" }),
        name: Type.String(),
        issuer: Type.String(),
        clientId: Type.String(),
        autoJoin: autoJoinField,
        testedAt: Type.Optional({
          ...DateTimeSchema,
          description: "When a sign-in with these values was tested last.",
        }),
      }),
    ),
    redirectUri: Type.String({
      description: "To be registered at each issuer, by its owner. Each workspace has its own.",
    }),
  },
  { $id: "Sso" },
);

export const SsoBodySchema = Type.Object({
  names: namesField,
  isRequired: requiredField,
  issuers: issuersField,
});

export function ssoJson(
  {
    settings,
    issuers,
  }: {
    readonly settings: Pick<SsoSettings, "names" | "isRequired"> | undefined;
    readonly issuers: readonly SsoIssuer[];
  },
  redirectUri: string,
): string {
  return JSON.stringify({
    names: settings?.names ?? [],
    isRequired: settings?.isRequired ?? false,
    issuers: issuers.map(({ id, name, issuer, clientId, autoJoin, testedAt }) => ({
      id: toWireId("SsoIssuer", id),
      name,
      issuer,
      clientId,
      autoJoin,
      ...(testedAt === null ? {} : { testedAt: toIso(testedAt) }),
    })),
    redirectUri,
  });
}

export const ssoExample = {
  names: ["acme", "acme.example"],
  isRequired: false,
  issuers: [
    {
      id: "SsoIssuer:019a4f00-0000-7000-8000-000000000027",
      name: "Acme",
      issuer: "https://login.acme.example",
      clientId: "florin-console",
      autoJoin: { domain: "acme.example", role: "VIEWER" },
      testedAt: "2026-11-21T10:00:00.000Z",
    },
  ],
  redirectUri: "https://florin.example/console/sso/callback/019a4f00-0000-7000-8000-000000000001",
};

export const ssoBodyExample = {
  names: ["acme", "acme.example"],
  isRequired: false,
  issuers: [
    {
      name: "Acme",
      issuer: "https://login.acme.example",
      clientId: "florin-console",
      clientSecret: "bW9ja2VkIHNlY3JldA",
      autoJoin: { domain: "acme.example", role: "VIEWER" },
    },
  ],
};

export const SsoChoicesSchema = Type.Object(
  {
    workspace: Type.String({ description: "The name of the workspace." }),
    issuers: Type.Array(
      Type.Object({
        id: Type.String({ description: "`SsoIssuer:<uuid>`" }),
        name: Type.String(),
        host: Type.String({ description: "Where the sign-in leads." }),
        url: Type.String({ description: "The path that begins the sign-in." }),
      }),
    ),
  },
  { $id: "SsoChoices" },
);

export const ssoChoicesExample = {
  workspace: "Acme Pay",
  issuers: [
    {
      id: "SsoIssuer:019a4f00-0000-7000-8000-000000000027",
      name: "Acme",
      host: "login.acme.example",
      url: "/console/sso/start?workspace=acme&issuer=SsoIssuer%3A019a4f00-0000-7000-8000-000000000027",
    },
  ],
};
