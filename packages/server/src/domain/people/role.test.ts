/** What each role may do, on which kind of platform, and what of it a person may hand on to a token. */
import { describe, expect, it } from "vitest";
import { type Permission, permissions } from "../token.ts";
import {
  type Capability,
  capabilities,
  capabilitiesOf,
  grantablePermissions,
  isAuditedOfTokens,
  markOf,
  needsPasskey,
  needsProof,
  OPERATOR_CAPABILITIES,
  openedBy,
  type Role,
  roles,
} from "./role.ts";

/** Owner, admin, developer, finance, approver, compliance, support, viewer: yes, no, in sandboxes, or once an owner says so. */
const MATRIX: Readonly<Record<Capability, string>> = {
  "overview.read": "y y y y y y y y",
  "payments.read": "y y y y y y y y",
  "quotes.read": "y y y y y y y y",
  "rates.read": "y y y y y y y y",
  "agents.read": "y y y y y y y y",
  "invitations.read": "y y y y y y y y",
  "customers.read": "y y y y y y y y",
  "accounts.read": "y y y y y y y y",
  "ledger.read": "y y y y y y y y",
  "pii.read": "y y s y y y y n",
  "documents.read": "y o n n n y n n",
  "customers.write": "y y s y n y y n",
  "external-accounts.write": "y y s y n y y n",
  "invitations.write": "y y s y n y y n",
  "customers.freeze": "y y s n n y y n",
  "customers.unfreeze": "y y s n n y n n",
  "verifications.decide": "y n s n n y n n",
  "payments.create": "y n s y n n n n",
  "payments.approve": "y n s n y n n n",
  "adjustments.create": "y n s y n n n n",
  "adjustments.approve": "y n s n y n n n",
  "agents.write": "y y s n n n n n",
  "agents.connect": "y y s n n n n n",
  "rails.read": "y y y y y y y n",
  "rails.write": "y y s n n n n n",
  "reconciliation.write": "y n n y n n n n",
  "events.read": "y y y y n n y n",
  "deliveries.read": "y y y y n n y n",
  "webhooks.read": "y y y y n n y n",
  "webhooks.write": "y y y n n n n n",
  "webhooks.rotate": "y y y n n n n n",
  "deliveries.resend": "y y y n n n y n",
  "deliveries.resend-many": "y y y n n n n n",
  "logs.read": "y y y n n n y n",
  "logs.bodies": "y y y n n n n n",
  "tokens.read": "y y y n n n n n",
  "tokens.write": "y y y n n n n n",
  "sandbox.use": "y y y y y y y n",
  "statements.read": "y y s y y y n n",
  "exports.create": "y y s y n y n n",
  "settings.read": "y y y y y y n n",
  "settings.write": "y y s n n n n n",
  "people.read": "y y y y y y n n",
  "people.write": "y y n n n n n n",
  "policies.write": "y n n n n n n n",
  "workspace.write": "y n n n n n n n",
  "audit.read": "y y n n n y n n",
  "system.read": "n n n n n n n n",
  "system.write": "n n n n n n n n",
  "system.verifications": "n n n n n n n n",
};

const marks = (capability: Capability) => MATRIX[capability].split(" ");
const cases = capabilities.flatMap((capability) =>
  roles.map((role, place) => ({ capability, role, mark: marks(capability)[place] })),
);

describe("a role", () => {
  it("has a mark for every capability", () => {
    expect(Object.keys(MATRIX).sort()).toEqual([...capabilities].sort());
    for (const capability of capabilities) expect(marks(capability)).toHaveLength(roles.length);
  });

  it.each(cases)("$role: $capability is $mark", ({ capability, role, mark }) => {
    for (const adminsReadDocuments of [true, false]) {
      const held = (environment: "SANDBOX" | "PRODUCTION") =>
        capabilitiesOf([role], environment, { adminsReadDocuments }).has(capability);
      const isSwitched = mark === "o" && adminsReadDocuments;
      expect(held("PRODUCTION")).toBe(mark === "y" || isSwitched);
      expect(held("SANDBOX")).toBe(mark === "y" || mark === "s" || isSwitched);
    }
  });

  it.each(roles.flatMap((one) => roles.map((other) => [one, other] as const)))(
    "adds up with another: %s and %s",
    (one, other) => {
      for (const environment of ["SANDBOX", "PRODUCTION"] as const) {
        const sum = new Set([
          ...capabilitiesOf([one], environment),
          ...capabilitiesOf([other], environment),
        ]);
        expect(capabilitiesOf([one, other], environment)).toEqual(sum);
      }
    },
  );

  it("is none without roles, and a switch is off unless it is told", () => {
    expect(capabilitiesOf([], "SANDBOX").size).toBe(0);
    expect(capabilitiesOf(["ADMIN"], "PRODUCTION").has("documents.read")).toBe(false);
    expect(markOf("ADMIN", "documents.read")).toBe("SWITCHED");
    expect(markOf("ADMIN", "documents.read", { adminsReadDocuments: true })).toBe("ALWAYS");
    expect(markOf("ADMIN", "documents.read", { adminsReadDocuments: false })).toBe("NEVER");
    expect(markOf("VIEWER", "documents.read", { adminsReadDocuments: true })).toBe("NEVER");
    expect(markOf("DEVELOPER", "rails.write")).toBe("IN_SANDBOXES");
  });

  it("never opens the deployment: operators alone do", () => {
    expect(OPERATOR_CAPABILITIES).toEqual(capabilities.filter((one) => one.startsWith("system.")));
  });
});

describe("a capability", () => {
  const proven = capabilities.filter(needsProof);

  it("that changes money, access or secrets needs a passkey shown lately", () => {
    expect(proven).toEqual([
      "customers.freeze",
      "customers.unfreeze",
      "payments.approve",
      "adjustments.approve",
      "agents.connect",
      "rails.write",
      "webhooks.rotate",
      "tokens.write",
      "exports.create",
      "settings.write",
      "people.write",
      "policies.write",
      "workspace.write",
      "system.write",
    ]);
    expect(proven.filter((one) => one.endsWith(".read"))).toEqual([]);
  });

  it("that approves money needs a passkey, and an issuer's word is not enough", () => {
    const byPasskey = capabilities.filter(needsPasskey);
    expect(byPasskey).toEqual(["payments.approve", "adjustments.approve"]);
    for (const one of byPasskey) expect(needsProof(one)).toBe(true);
  });

  it("that changes what the platform is has an audit entry when a token acts under it", () => {
    expect(capabilities.filter(isAuditedOfTokens)).toEqual([
      "customers.freeze",
      "customers.unfreeze",
      "verifications.decide",
      "adjustments.create",
      "agents.write",
      "agents.connect",
      "rails.write",
      "webhooks.write",
      "webhooks.rotate",
      "tokens.write",
      "settings.write",
    ]);
  });
});

describe("a token of a person", () => {
  it.each<[Role, readonly Permission[], readonly Permission[]]>([
    ["OWNER", ["VIEW", "TRANSACT", "MANAGE"], ["VIEW", "TRANSACT", "MANAGE"]],
    ["ADMIN", ["VIEW"], ["VIEW"]],
    ["DEVELOPER", [], ["VIEW", "TRANSACT", "MANAGE"]],
    ["FINANCE", ["VIEW"], ["VIEW"]],
    ["APPROVER", ["VIEW"], ["VIEW"]],
    ["COMPLIANCE", ["VIEW"], ["VIEW"]],
    ["SUPPORT", ["VIEW"], ["VIEW"]],
    ["VIEWER", [], []],
  ])("of %s may grant %j in production and %j in a sandbox", (role, production, sandbox) => {
    const grantable = (environment: "SANDBOX" | "PRODUCTION") =>
      permissions.filter((one) =>
        grantablePermissions(capabilitiesOf([role], environment)).has(one),
      );
    expect([grantable("PRODUCTION"), grantable("SANDBOX")]).toEqual([production, sandbox]);
  });

  it("opens what the person must hold, each once", () => {
    expect(openedBy([])).toEqual([]);
    expect(openedBy(["VIEW"])).toEqual(["pii.read"]);
    expect(openedBy(["TRANSACT", "TRANSACT"])).toEqual(["payments.create", "payments.approve"]);
    expect(openedBy(["VIEW", "MANAGE"])).toEqual([
      "pii.read",
      "settings.write",
      "customers.write",
      "agents.write",
      "verifications.decide",
    ]);
  });

  it.each(openedBy(permissions))("is not granted by a person who lacks %s", (lacking) => {
    const held = new Set(capabilities.filter((one) => one !== lacking));
    const grantable = grantablePermissions(held);
    for (const permission of permissions)
      expect(grantable.has(permission)).toBe(!openedBy([permission]).includes(lacking));
  });
});
