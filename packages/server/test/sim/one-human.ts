/**
 * A history of a workspace with two owners in production. One is honest, and agrees in good faith to what is asked about people, sign-in and
 * tokens. The other one is one human who tries every way to make, change, take over and revive identities, and who asks for payments,
 * marks and full tokens as one of them and agrees as another.
 *
 * The rows are those that the commands leave. What the API reads before a command is read from the same rows.
 */

import { membersOf } from "../../src/domain/lineage.ts";
import { acceptLink } from "../../src/domain/people/accept-link.ts";
import {
  type Approval,
  approvals,
  askForApproval,
} from "../../src/domain/people/approvals/approval.ts";
import {
  cancelApproval,
  carryOutInTime,
  decideApproval,
  type OpenedOrder,
} from "../../src/domain/people/approvals/decide-approval.ts";
import {
  type ApprovalPlace,
  approverOf,
  capabilitiesIn,
  hasTwoOwners,
  lineageAt,
  standingOf,
} from "../../src/domain/people/approvals/eligible-people.ts";
import { type HoldableOrder, holding } from "../../src/domain/people/approvals/hold-order.ts";
import type { AgreedShowing } from "../../src/domain/people/approvals/shown/kept-showing.ts";
import { type Person, people } from "../../src/domain/people/person.ts";
import type { Capability } from "../../src/domain/people/role.ts";
import {
  type CreateTokenInput,
  createToken,
} from "../../src/domain/people/tokens/token-commands.ts";
import { platforms } from "../../src/domain/platform.ts";
import {
  type RailMark,
  railMarks,
  requireDecidable,
} from "../../src/domain/rails/marks/rail-mark.ts";
import { lineageBelow, peopleBehind, type Token, tokens } from "../../src/domain/token.ts";
import type { Actor, Command } from "../../src/engine/command.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import { tokenOrder } from "../../src/http/operations/people/tokens.ts";
import { present } from "../../src/std/assert.ts";
import { sha256, sha256Hex } from "../../src/std/digest.ts";
import { DECIDED_AT, rowsOf } from "../kit/decide-alone.ts";
import { DecidedRows } from "../kit/decided-rows.ts";
import { PLATFORM, platform } from "../kit/payment-rows.ts";

export const WORKSPACE = "018f0000-0000-7000-8000-0000000000ab";
const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;
export const [FIRST, HONEST, APPROVER, OLD] = ["f1", "f2", "f3", "f4"].map(idOf) as [
  string,
  string,
  string,
  string,
];
export const PRODUCTION = new Set([PLATFORM]);

/** An order that waits, with what carries it out. */
interface Waiting {
  /** For the person who agrees. */
  readonly order: (by: Person) => OpenedOrder;
  /** A link that it makes, for the person. */
  readonly link?: NewLink;
  /** A token that it makes. */
  readonly makesToken?: true;
}

export interface NewLink {
  readonly personId: string;
  readonly codeHash: string;
}

/** A person or a token that the one human acts as. */
export interface Mask {
  readonly actor: Actor;
  readonly person?: Person;
}

export class History {
  now = DECIDED_AT;
  readonly workspace: DecidedRows;
  readonly money: DecidedRows;
  /** The people whom the one human can act as. */
  readonly mine = new Set([FIRST, OLD]);
  readonly tokens: Token[] = [];
  /** What one human has done alone that needs two. */
  readonly faults: string[] = [];
  readonly told: string[] = [];
  readonly #waiting = new Map<string, Waiting>();
  #counter = 0;

  constructor() {
    const owners = [personOf(FIRST, ["OWNER"]), personOf(HONEST, ["OWNER"])];
    // An identity of the one human that was made long ago, and may do nothing yet.
    const others = [personOf(APPROVER, ["APPROVER"]), personOf(OLD, ["VIEWER"])];
    const everybody = [...owners, ...others];
    this.workspace = new DecidedRows(WORKSPACE, [rowsOf(people, ...everybody)]);
    const live = { ...platform, environment: "PRODUCTION" } as const;
    this.money = new DecidedRows(PLATFORM, [rowsOf(platforms, live)]);
  }

  next(): string {
    this.#counter += 1;
    return sha256Hex(`${this.#counter}`);
  }

  nextId(): string {
    this.#counter += 1;
    return idOf(`ee${this.#counter.toString(16).padStart(6, "0")}`);
  }

  active(): readonly Person[] {
    return this.workspace.all(people).filter(({ state }) => state === "ACTIVE");
  }

  /** Of the workspace, or of its platform. */
  place(isOfPlatform: boolean): ApprovalPlace {
    const at = isOfPlatform ? { id: PLATFORM, environment: "PRODUCTION" as const } : undefined;
    return { platform: at, people: this.active(), now: this.now };
  }

  actorOf(person: Person): Actor {
    const lineage = lineageAt(person, { environment: "PRODUCTION" }, this.now);
    const { id } = person;
    return { kind: "person", id, people: membersOf(lineage, this.now), personId: id };
  }

  /** All that the one human can act as now. */
  masks(): readonly Mask[] {
    const persons = this.active().filter(({ id }) => this.mine.has(id));
    const ofTokens = this.tokens.map((token) => ({
      actor: {
        kind: "token" as const,
        id: token.id,
        people: peopleBehind(token, this.now),
        personId: token.personId,
      },
    }));
    return [...persons.map((person) => ({ person, actor: this.actorOf(person) })), ...ofTokens];
  }

  /** Asks for a change of people or sign-in. What does not wait is done. */
  change<Input, Output>(
    order: HoldableOrder<Input, Output>,
    input: Input,
    { by, link }: { readonly by: Person; readonly link?: NewLink | undefined },
  ): void {
    const held = this.#hold(this.workspace, order, { input, by });
    if (held instanceof Refusal) return;
    if (held.kind === "held")
      this.#waiting.set(held.approval.id, {
        order: ({ id }) => opened(held.content, order, { ...input, shownTo: id }),
        ...(link === undefined ? {} : { link }),
      });
    else if (link !== undefined && this.mine.has(by.id)) this.#take(link);
    this.told.push(`${order.act} by ${by.id.slice(-4)}: ${held.kind}`);
  }

  #hold<Input, Output>(
    rows: DecidedRows,
    order: HoldableOrder<Input, Output>,
    { input, by }: { readonly input: Input; readonly by: Person },
  ) {
    const content = { order: this.next() };
    const sealed = { content, contentSealed: "sealed", sealId: this.nextId() };
    const environment = "PRODUCTION" as const;
    const held = { input, sealed, environment, hasTwoOwners: hasTwoOwners(this.active()) };
    const answer = rows.run(holding(order), held, { actor: this.actorOf(by), at: this.now });
    return answer instanceof Refusal ? answer : { ...answer, content };
  }

  /** A link is used by the human who holds it. */
  #take({ personId, codeHash }: NewLink): void {
    const person = this.workspace.all(people).find(({ id }) => id === personId);
    const kind = person?.state === "INVITED" ? ("INVITE" as const) : ("RE_ENROL" as const);
    const input = {
      kind,
      codeHash,
      email: present(person, "an invited person").email,
      passkey: {
        credentialId: this.next(),
        publicKey: "key",
        rpId: "localhost",
        signCount: 0n,
        backupEligible: false,
        isSynced: false,
        transports: [],
        nickname: "Passkey",
      },
      challenge: { digest: this.next(), rememberUntil: this.now },
      session: this.session(),
    };
    const actor = { kind: "person", id: personId } as const;
    const taken = this.workspace.run(acceptLink, input, { actor, at: this.now });
    if (!(taken instanceof Refusal)) this.mine.add(personId);
  }

  session() {
    return { secretHash: this.next(), address: "::1", userAgent: "", lifeMs: 3_600_000 };
  }

  /** Asks for a full token. One that does not wait was got alone. */
  askToken(by: Person): void {
    const input: CreateTokenInput = {
      name: "full",
      permissions: ["VIEW", "TRANSACT", "MANAGE"],
      clientId: this.next(),
      secretHash: sha256("secret"),
      expiresAt: null,
      lineage: lineageAt(by, { environment: "PRODUCTION" }, this.now),
    };
    if (!this.#may(by, "tokens.write")) return;
    const order = tokenOrder(this.place(true), by.id);
    const held = this.#hold(this.money, order, { input, by });
    if (held instanceof Refusal) return;
    if (held.kind === "done") this.faults.push("a full token without an agreement");
    else {
      const creator = { createdBy: `Person:${by.id}`, personId: by.id };
      const made = { command: createToken, resultOf: idOfToken };
      const waits = opened(held.content, made, { ...input, creator });
      this.#waiting.set(held.approval.id, { order: () => waits, makesToken: true });
    }
  }

  /** A token makes another one alone. */
  makeToken(from: Token): void {
    const input: CreateTokenInput = {
      name: "made",
      permissions: from.permissions,
      clientId: this.next(),
      secretHash: sha256("secret"),
      expiresAt: null,
      lineage: lineageBelow(from),
    };
    const actor: Actor = { kind: "token", id: from.id, personId: from.personId };
    const made = this.money.run(createToken, input, { actor, at: this.now });
    if (!(made instanceof Refusal)) this.tokens.push(made);
  }

  askPayment({ actor, person }: Mask): void {
    if (!this.#may(person, "payments.create")) return;
    const content = { payment: this.next() };
    const asked = this.money.run(payment, content, { actor, at: this.now });
    if (asked instanceof Refusal) return;
    const order = { content, needs: () => [], carryOut: () => "Transaction:1" };
    this.#waiting.set(asked.id, { order: () => order });
  }

  /** A token has every permission; of a person the API asks for the capability. */
  #may(person: Person | undefined, capability: Capability): boolean {
    if (person === undefined) return true;
    return capabilitiesIn(person, this.place(true).platform).has(capability);
  }

  askMark({ actor, person }: Mask): void {
    if (this.#may(person, "reconciliation.write"))
      this.money.run(mark, undefined, { actor, at: this.now });
  }

  /** Confirms a mark as another identity. */
  confirmMark({ actor, person }: Mask, { id }: RailMark): void {
    if (!this.#may(person, "payments.approve")) return;
    const input = { id };
    const confirmed = this.money.run(confirm, input, { actor, at: this.now });
    if (!(confirmed instanceof Refusal)) this.faults.push(`a mark that ${actor.id} confirmed`);
  }

  pending(rows: DecidedRows): readonly Approval[] {
    return rows.all(approvals).filter(({ state }) => state === "PENDING");
  }

  /** Agrees to what waits. Only the honest owner's agreement lets a token or a change of people through without a fault. */
  agree(by: Person, { id }: Approval, isOfPlatform: boolean): void {
    const rows = isOfPlatform ? this.money : this.workspace;
    const approval = present(
      rows.all(approvals).find((one) => one.id === id),
      "an approval",
    );
    const waiting = present(this.#waiting.get(id), "what waits");
    const place = this.place(isOfPlatform);
    const input = {
      approvalId: id,
      approver: approverOf(by, place),
      standing: standingOf(approval, place),
      note: null,
      decision: {
        outcome: "APPROVED",
        assertion: ASSERTION,
        shown: shownOf(approval, by),
        order: waiting.order(by),
      } as const,
    };
    const decided = rows.run(decideApproval, input, { actor: this.actorOf(by), at: this.now });
    if (decided instanceof Refusal || decided.state !== "DONE") return;
    this.told.push(`${approval.act} agreed to by ${by.id.slice(-4)}`);
    const isAlone = decided.decisions.every((one) => this.mine.has(one.by.slice(7)));
    if (isOfPlatform && isAlone)
      this.faults.push(`${approval.act} of ${approval.requestedBy}, agreed to by ${by.id}`);
    if (waiting.makesToken === true) this.#keepToken(decided);
    // The link is shown to the one who agreed.
    if (waiting.link !== undefined && this.mine.has(by.id)) this.#take(waiting.link);
  }

  /** The honest owner is mailed what would be done to them in time, and stops it. */
  stopOwnLoss(): void {
    const honest = this.active().find(({ id }) => id === HONEST);
    for (const { id, approvalsNeeded, subjectId, requesterId } of this.pending(this.workspace)) {
      if (honest === undefined || approvalsNeeded > 0 || subjectId !== `Person:${HONEST}`) continue;
      const place = this.place(false);
      const input = {
        approvalId: id,
        approver: approverOf(honest, place),
        standing: { mayAsk: true, agreed: [] },
        note: null,
        decision: { outcome: "REJECTED" } as const,
      };
      const here = { actor: this.actorOf(honest), at: this.now };
      // Somebody else may have asked for it as the owner.
      const stopped =
        requesterId === HONEST
          ? this.workspace.run(cancelApproval, { approvalId: id, personId: HONEST }, here)
          : this.workspace.run(decideApproval, input, here);
      if (stopped instanceof Refusal) this.faults.push("the owner could not stop their own loss");
    }
  }

  /** Orders that need no agreement and were not rejected. */
  carryOutInTime(): void {
    for (const { id, approvalsNeeded, jobId } of this.pending(this.workspace)) {
      const waiting = this.#waiting.get(id);
      const by = this.active()[0];
      if (approvalsNeeded > 0 || jobId === null || waiting === undefined || by === undefined)
        continue;
      const input = { approvalId: id, jobId, order: waiting.order(by) };
      const actor = { kind: "worker", id: "job" } as const;
      this.workspace.run(carryOutInTime, input, { actor, at: this.now });
    }
  }

  #keepToken({ resultId }: Approval): void {
    const made = this.money.all(tokens).find((token) => idOfToken(token) === resultId);
    if (made !== undefined) this.tokens.push(made);
  }

  marks(): readonly RailMark[] {
    return this.money.all(railMarks).filter(({ state }) => state === "WAITING");
  }
}

const idOfToken = ({ id }: Pick<Token, "id">) => `Token:${id}`;

function opened<Input, Output>(
  content: OpenedOrder["content"],
  { command, resultOf }: Pick<HoldableOrder<Input, Output>, "command" | "resultOf">,
  input: Input,
): OpenedOrder {
  return {
    content,
    needs: (world) => command.needs(world, input),
    carryOut: (world) => resultOf(command.decide(world, input)),
  };
}

const payment: Command<OpenedOrder["content"], Approval> = {
  name: "ask-payment",
  needs: () => [platforms.ref(PLATFORM)],
  decide: (world, content) =>
    askForApproval(world, {
      kind: "PAYMENT",
      act: "transferOut",
      summary: "A transfer",
      sealed: { content, contentSealed: "sealed", sealId: world.newId() },
      capabilities: ["payments.approve"],
      approvalsNeeded: 1,
    }),
};

const mark: Command<undefined, RailMark> = {
  name: "ask-mark",
  needs: () => [],
  decide: (world) =>
    world.put(railMarks, {
      id: world.newId(),
      connectionId: world.newId(),
      kind: "ENTRY",
      request: {},
      state: "WAITING",
      requestedBy: `${world.actor.kind} ${world.actor.id}`,
      requesterPeople: world.actor.people ?? [],
      decidedBy: null,
      decidedAt: null,
      note: null,
      result: null,
      jobId: null,
      expiresAt: world.at + 1,
      createdAt: world.at,
    }),
};

const confirm: Command<{ readonly id: string }, RailMark> = {
  name: "confirm-mark",
  needs: (_world, { id }) => [railMarks.ref(id)],
  decide: (world, { id }) => requireDecidable(world, id, "confirmed"),
};

function shownOf({ id, contentDigest }: Approval, { id: personId }: Person): AgreedShowing {
  const of = { approvalId: `Approval:${id}`, contentDigest, to: `Person:${personId}` };
  const showing = { ...of, at: "2026-11-21T10:00:00.000Z", title: "", facts: [], warnings: [] };
  return { showing, digest: "shown", textSealed: "sealed", sealId: id };
}

const ASSERTION = {
  credentialId: "c",
  publicKey: "k",
  backupEligible: false,
  rpId: "localhost",
  origin: "http://localhost",
  clientDataJson: "d",
  authenticatorData: "e",
  signature: "s",
};

function personOf(id: string, roles: Person["roles"][number]["roles"]): Person {
  return {
    id,
    email: `${id}@example.com`,
    name: "Person",
    locale: null,
    timeZone: null,
    state: "ACTIVE",
    isOperator: false,
    roles: [{ platformId: null, roles }],
    approvesFrom: null,
    joined: [],
    passkeyPutOffAt: null,
    createdAt: DECIDED_AT,
    updatedAt: DECIDED_AT,
  };
}
