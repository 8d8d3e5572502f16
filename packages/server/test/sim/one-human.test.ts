/** One human with any number of identities never carries out alone what needs two people: random histories of thirty steps. */
import { expect, it } from "vitest";
import {
  changePersonOrder,
  inviteOrder,
  reEnrolOrder,
  removePersonOrder,
} from "../../src/domain/people/approvals/held-people.ts";
import { isOwner, type Person, people } from "../../src/domain/people/person.ts";
import { type Role, roles } from "../../src/domain/people/role.ts";
import { changeSsoOrder } from "../../src/domain/people/single-sign-on/held-sso.ts";
import { signInWithIssuer } from "../../src/domain/people/single-sign-on/sign-in-with-issuer.ts";
import { liveIssuers, ssoIssuers } from "../../src/domain/people/single-sign-on/sso-issuer.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import { chanceFrom } from "../kit/chance.ts";
import { sampleOf } from "../kit/sample.ts";
import { History, HONEST, PRODUCTION } from "./one-human.ts";

const STEPS = 30;
/** More by the environment: 3,400 are a hundred thousand steps. */
const HISTORIES = Number(process.env.HISTORIES ?? 240);
/** Thirty steps are less than thirty days. */
const LONGEST_PAUSE_MS = 20 * 3_600_000;

type Chance = (below: number) => number;

function one<Item>(chance: Chance, items: readonly Item[]): Item | undefined {
  return items[chance(Math.max(1, items.length))];
}

type Step = (history: History, chance: Chance, by: Person) => void;

const grantsOf = (role: Role) => [{ platformId: null, roles: [role] }];

const STEPS_OF_PEOPLE: readonly Step[] = [
  function invite(history, chance, by) {
    const personId = history.nextId();
    const codeHash = history.next();
    const role = one(chance, roles) ?? "VIEWER";
    const email = `${personId}@example.com`;
    const who = { personId, email, name: "New", roles: grantsOf(role) };
    const input = { ...who, codeHash, by: by.id, productionIds: PRODUCTION };
    history.change(inviteOrder, input, { by, link: { personId, codeHash } });
  },
  function change(history, chance, by) {
    const person = one(chance, history.workspace.all(people));
    if (person === undefined) return;
    const wish =
      chance(3) === 0
        ? { isSuspended: chance(2) === 0 }
        : { roles: grantsOf(one(chance, roles) ?? "VIEWER") };
    const input = { personId: person.id, ...wish, by: by.id, productionIds: PRODUCTION };
    history.change(changePersonOrder, input, { by });
  },
  function remove(history, chance, by) {
    const person = one(chance, history.workspace.all(people));
    if (person === undefined) return;
    const input = { personId: person.id, by: by.id, productionIds: PRODUCTION };
    history.change(removePersonOrder, input, { by });
  },
  function reEnrol(history, chance, by) {
    const person = one(chance, history.workspace.all(people));
    if (person === undefined) return;
    const codeHash = history.next();
    const input = { personId: person.id, codeHash, by: by.id };
    history.change(reEnrolOrder, input, { by, link: { personId: person.id, codeHash } });
  },
  function setIssuer(history, _chance, by) {
    if (!isOwner(by)) return;
    const issuer = {
      id: undefined,
      name: "Own",
      issuer: `https://${history.next().slice(0, 8)}.example`,
      clientId: "c",
      secret: { sealId: history.next(), sealed: "sealed" },
      autoJoin: null,
    };
    const input = { names: ["acme"], isRequired: false, issuers: [issuer], by: by.id };
    history.change(changeSsoOrder, input, { by });
  },
  function signInAsAnybody(history, chance) {
    const issuer = one(chance, history.workspace.all(ssoIssuers).filter(liveIssuers.lookup.holds));
    const person = one(chance, history.active());
    if (issuer === undefined || person === undefined) return;
    const input = {
      issuer,
      identity: {
        issuer: issuer.issuer,
        subject: person.id,
        verifiedEmail: person.email,
        name: null,
        authenticatedAt: history.now,
      },
      use: { digest: history.next(), rememberUntil: history.now },
      personId: person.id,
      session: history.session(),
    };
    const actor = { kind: "person", id: person.id } as const;
    const opened = history.workspace.run(signInWithIssuer, input, { actor, at: history.now });
    if (!(opened instanceof Refusal)) history.mine.add(person.id);
  },
];

const STEPS_OF_MONEY: readonly Step[] = [
  (history, chance) => {
    const mask = one(chance, history.masks());
    if (mask !== undefined) history.askPayment(mask);
  },
  (history, _chance, by) => history.askToken(by),
  (history, chance) => {
    const token = one(chance, history.tokens);
    if (token !== undefined) history.makeToken(token);
  },
  (history, chance) => {
    const mask = one(chance, history.masks());
    if (mask !== undefined) history.askMark(mask);
  },
];

/** All that the one human could agree to now, with each identity. */
function agreeAlone(history: History): void {
  for (const { person } of history.masks()) {
    if (person === undefined) continue;
    for (const approval of history.pending(history.money)) history.agree(person, approval, true);
    for (const approval of history.pending(history.workspace))
      history.agree(person, approval, false);
  }
  for (const mask of history.masks())
    for (const waiting of history.marks()) history.confirmMark(mask, waiting);
}

/** The honest owner agrees to a change of people or to a token, and to no payment. */
function agreeHonestly(history: History, chance: Chance): void {
  const honest = history.active().find(({ id }) => id === HONEST);
  if (honest === undefined) return;
  const asked = history.pending(history.workspace);
  const tokens = history.pending(history.money).filter(({ kind }) => kind === "TOKEN");
  for (const approval of asked) if (chance(2) === 0) history.agree(honest, approval, false);
  for (const approval of tokens) if (chance(2) === 0) history.agree(honest, approval, true);
}

/** The honest owner invites people of their own, or gives them a new passkey. The other owner may agree, and is shown the link. */
function hireHonestly(history: History, chance: Chance): void {
  const honest = history.active().find(({ id }) => id === HONEST);
  if (honest === undefined) return;
  const steps = STEPS_OF_PEOPLE.filter(({ name }) => name === "invite" || name === "reEnrol");
  one(chance, steps)?.(history, chance, honest);
}

function historyOf(seed: number): History {
  const chance = chanceFrom(seed);
  const history = new History();
  for (let step = 0; step < STEPS && history.faults.length === 0; step += 1) {
    history.now += chance(LONGEST_PAUSE_MS);
    const by = one(
      chance,
      history.active().filter(({ id }) => history.mine.has(id)),
    );
    if (by === undefined) break;
    const steps = chance(2) === 0 ? STEPS_OF_PEOPLE : STEPS_OF_MONEY;
    one<Step>(chance, steps)?.(history, chance, by);
    history.stopOwnLoss();
    history.carryOutInTime();
    if (chance(4) === 0) hireHonestly(history, chance);
    if (chance(2) === 0) agreeHonestly(history, chance);
    agreeAlone(history);
  }
  return history;
}

const seeds = Array.from({ length: HISTORIES }, (_, seed) => seed);

it("needs two humans for what needs two people", { timeout: 1_200_000 }, () => {
  const reached = { mine: 0, tokens: 0, asked: 0 };
  for (const seed of sampleOf(seeds)) {
    const history = historyOf(seed);
    expect({
      seed,
      faults: history.faults,
      told: history.faults.length > 0 ? history.told : [],
    }).toEqual({
      seed,
      faults: [],
      told: [],
    });
    reached.mine += history.mine.size;
    reached.tokens += history.tokens.length;
    reached.asked += history.pending(history.money).length;
  }
  // The histories get somewhere: identities, tokens, and orders that wait.
  const runs = sampleOf(seeds).length;
  expect(reached.mine).toBeGreaterThan(2 * runs);
  expect(reached.tokens).toBeGreaterThan(runs / 4);
  expect(reached.asked).toBeGreaterThan(runs);
});
