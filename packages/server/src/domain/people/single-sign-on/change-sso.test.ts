import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { type Person, people } from "../person.ts";
import { type ChangeSsoInput, changeSso, type WantedIssuer } from "./change-sso.ts";
import { changeAgreedSso, changeSsoOrder, shownSso } from "./held-sso.ts";
import { type SsoIssuer, ssoIssuers } from "./sso-issuer.ts";
import { type SsoSettings, ssoSettings } from "./sso-settings.ts";

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

const settings: SsoSettings = {
  id: WORKSPACE,
  names: ["acme"],
  claimedNames: ["acme"],
  isRequired: true,
  createdAt: 7,
  updatedAt: 7,
};

const owner = (id: string): Person => ({
  id,
  email: `${id}@example.com`,
  name: "Owner",
  locale: null,
  timeZone: null,
  state: "ACTIVE",
  isOperator: false,
  roles: [{ platformId: null, roles: ["OWNER"] }],
  approvesFrom: null,
  joined: [],
  passkeyPutOffAt: null,
  createdAt: 7,
  updatedAt: 7,
});

function sceneOf(input: ChangeSsoInput) {
  const tables = [
    rowsOf(ssoIssuers, kept),
    rowsOf(ssoSettings, settings),
    rowsOf(people, owner(OLGA), owner(OTTO)),
  ];
  return worldFor({ command: changeSso, input, platformId: WORKSPACE, tables });
}

/** What Otto sends: by default, what is set. */
function sent(more: Partial<ChangeSsoInput> = {}): ChangeSsoInput {
  return { names: ["acme"], isRequired: true, issuers: [same], by: OTTO, ...more };
}

/** The issuer after Otto has sent it. */
function afterwards(wanted: WantedIssuer): SsoIssuer | undefined {
  const input = sent({ isRequired: false, issuers: [wanted] });
  return changeSso.decide(sceneOf(input), input).issuers[0];
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

describe("a change of single sign-on", () => {
  const other: WantedIssuer = {
    ...same,
    id: undefined,
    issuer: "https://login.otto.example",
    secret,
  };

  it.each<[string, Partial<ChangeSsoInput>, readonly string[]]>([
    ["nothing", {}, []],
    ["the names", { names: ["acme", "acme-inc"] }, []],
    ["the name of an issuer", { issuers: [{ ...same, name: "Acme Inc." }] }, []],
    ["its secret", { isRequired: false, issuers: [{ ...same, secret }] }, ["passkeys"]],
    ["another issuer beside it", { issuers: [same, other] }, [other.issuer]],
    [
      "its client",
      { isRequired: false, issuers: [{ ...same, clientId: "o" }] },
      [same.issuer, "passkeys"],
    ],
    [
      "its address",
      { isRequired: false, issuers: [{ ...same, issuer: other.issuer, secret }] },
      [other.issuer, "passkeys"],
    ],
    ["one in its place", { isRequired: false, issuers: [other] }, [other.issuer, "passkeys"]],
    ["that it is required no longer", { isRequired: false }, ["passkeys"]],
    ["no issuer", { isRequired: false, issuers: [] }, ["passkeys"]],
  ])("that sends %s opens what it must, and mails the owners then", (_, more, opened) => {
    const input = sent(more);
    const world = sceneOf(input);
    const changed = changeSso.decide(world, input);
    expect(changed.opened).toEqual(opened);
    expect(changeSsoOrder.factsOf(changed, { world, input }).isHarmless).toBe(opened.length === 0);
    const mails = world.jobs.map(({ payload }) => [payload.recipientId, payload.about]);
    const told = [OLGA, OTTO].map((id) => [id, "ISSUER_SET"]);
    expect(mails).toEqual(opened.length === 0 ? [] : told);
  });

  it("is harmless where it removes an issuer while none is required, or requires one", () => {
    for (const more of [{ isRequired: false, issuers: [] }, { isRequired: true }]) {
      const input = sent(more);
      const tables = [
        rowsOf(ssoIssuers, kept),
        rowsOf(ssoSettings, { ...settings, isRequired: false }),
      ];
      const world = worldFor({ command: changeSso, input, platformId: WORKSPACE, tables });
      expect(changeSso.decide(world, input).opened).toEqual([]);
    }
  });

  it("that another owner has agreed to is refused when something else is set meanwhile", () => {
    const input = sent({ issuers: [same, other] });
    const [shown, moved] = [[kept], [{ ...kept, clientId: "meanwhile" }]].map((issuers) =>
      shownSso(settings, issuers),
    );
    const decide = (agreed: typeof shown) => {
      const world = sceneOf(input);
      return refusalOf(world, () =>
        changeAgreedSso.decide(world, { ...input, shown: agreed ?? shownSso(undefined, []) }),
      )?.details;
    };
    expect(decide(shown)).toBeUndefined();
    expect(decide(moved)).toEqual({ changed: "single sign-on" });
  });
});
