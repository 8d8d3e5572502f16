import Type from "typebox";
import { capabilities } from "../../domain/people/role.ts";
import { DateTimeSchema } from "../fields.ts";
import { RoleSchema, wirePerson } from "./person.ts";

const CapabilitySchema = Type.Enum([...capabilities]);

export const SessionSchema = Type.Object(
  {
    person: wirePerson.schema,
    workspace: Type.Object({ id: Type.String(), name: Type.String() }),
    platforms: Type.Array(
      Type.Object({
        id: Type.String({ description: "`PlatformConfig:<uuid>`" }),
        slug: Type.String({
          description: "Its name in paths of the console; unique in the workspace.",
        }),
        name: Type.String(),
        environment: Type.Enum(["SANDBOX", "PRODUCTION"]),
        roles: Type.Array(RoleSchema),
        capabilities: Type.Array(CapabilitySchema),
        clockAheadMs: Type.Optional(
          Type.Integer({
            description:
              "How far the clock of a sandbox is ahead of the server's, in milliseconds. Absent when it is not.",
          }),
        ),
      }),
    ),
    capabilities: Type.Array(CapabilitySchema, {
      description: "About the workspace: people, policies, the audit log.",
    }),
    csrf: Type.String({ description: "The value of the header `Florin-Csrf`." }),
    idleEndsAt: { ...DateTimeSchema, description: "When the session ends without another act." },
    endsAt: { ...DateTimeSchema, description: "When it ends in any case." },
    stepUpUntil: {
      ...DateTimeSchema,
      description:
        "Until then the passkey that was shown last counts, or the sign-in at an issuer where that is enough.",
    },
    sso: Type.Optional(
      Type.Object(
        { issuerId: Type.String({ description: "`SsoIssuer:<uuid>`" }), name: Type.String() },
        { description: "The issuer by which the person signed in." },
      ),
    ),
  },
  { $id: "ConsoleSession" },
);

export const sessionExample = {
  person: wirePerson.example,
  workspace: { id: "Workspace:019a4f00-0000-7000-8000-000000000023", name: "sandbox" },
  platforms: [
    {
      id: "PlatformConfig:019a4f00-0000-7000-8000-000000000001",
      slug: "sandbox",
      name: "sandbox",
      environment: "SANDBOX",
      roles: ["OWNER"],
      capabilities: ["overview.read", "payments.read"],
    },
  ],
  capabilities: ["people.read", "people.write", "audit.read"],
  csrf: "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a",
  idleEndsAt: "2026-11-21T22:00:00.000Z",
  endsAt: "2026-11-21T22:00:00.000Z",
  stepUpUntil: "2026-11-21T10:05:00.000Z",
};
