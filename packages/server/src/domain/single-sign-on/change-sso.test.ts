import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { changeSso, type WantedIssuer } from "./change-sso.ts";
import { type SsoIssuer, ssoIssuers } from "./sso-issuer.ts";

const WORKSPACE = "00000000-0000-7000-8000-000000000001";
const OLGA = "00000000-0000-7000-8000-000000000002";
const OTTO = "00000000-0000-7000-8000-000000000003";

const kept: SsoIssuer = {
  id: "00000000-0000-7000-8000-000000000009",
  name: "Acme",
  issuer: "https://login.acme.example",
  clientId: "console",
  sealId: "seal",
  clientSecretSealed: "sealed",
  autoJoin: null,
  testedAt: 5,
  setBy: OLGA,
  setAt: 7,
  createdAt: 7,
  updatedAt: 7,
  deletedAt: null,
};

const same: WantedIssuer = {
  id: kept.id,
  name: kept.name,
  issuer: kept.issuer,
  clientId: kept.clientId,
  secret: undefined,
  autoJoin: null,
};
const secret = { sealId: "new", sealed: "new sealed" };

/** The issuer after Otto has sent it. */
function afterwards(wanted: WantedIssuer): SsoIssuer | undefined {
  const input = { names: [], isRequired: false, issuers: [wanted], by: OTTO };
  const tables = [rowsOf(ssoIssuers, kept)];
  const world = worldFor({ command: changeSso, input, platformId: WORKSPACE, tables });
  return changeSso.decide(world, input).issuers[0];
}

describe("who set an issuer", () => {
  it.each<[string, Partial<WantedIssuer>]>([
    ["nothing", {}],
    ["its name", { name: "Acme Inc." }],
    ["whom it takes in", { autoJoin: { domain: "acme.example", role: "VIEWER" } }],
    ["its secret", { secret }],
  ])("stays when %s changes", (_, change) => {
    expect(afterwards({ ...same, ...change })).toMatchObject({ setBy: OLGA, setAt: kept.setAt });
  });

  it.each<[string, Partial<WantedIssuer>]>([
    ["its address", { issuer: "https://login.otto.example", secret }],
    ["its client", { clientId: "other" }],
    ["the whole issuer, under another id,", { id: undefined, secret }],
  ])("is the person who asks when %s changes", (_, change) => {
    expect(afterwards({ ...same, ...change })).toMatchObject({ setBy: OTTO, setAt: DECIDED_AT });
  });
});
