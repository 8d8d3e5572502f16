/** Submits an order: it is carried out at once, or waits for other people where the policy requires that. */
import type { Approval } from "../../domain/people/approvals/approval.ts";
import { type ApprovalPlace, hasTwoOwners } from "../../domain/people/approvals/eligible-people.ts";
import {
  type Held,
  type HeldInput,
  type HoldableOrder,
  holding,
  tryingOut,
} from "../../domain/people/approvals/hold-order.ts";
import { findPasskeysOf } from "../../domain/people/person.sql.ts";
import type { Answered, Idempotency } from "../../engine/command.ts";
import type { NeededApproval } from "../../wire/payments/dry-run.ts";
import { isPerson, type Principal } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import {
  type CallerSubmission,
  submitDryRun,
  submitForCaller,
  submitFound,
} from "../request/submit-for-caller.ts";
import { placeOf, sealContent, shownApproval } from "./approval-content.ts";

export interface HeldSubmission<Input, Output>
  extends Omit<CallerSubmission<Input, Output>, "command"> {
  readonly order: HoldableOrder<Input, Output>;
  /** The order as it is shown to the people who decide. */
  readonly content: object;
  /** Secrets that become valid when the order is carried out. Only the answer to this request shows them. */
  readonly issued?: object;
  /** Read from the database when absent. */
  readonly place?: ApprovalPlace;
}

/** Submits an order of a person, or of a token whose orders of this kind may wait as well. */
export async function submitHeld<Input, Output>(
  services: Services,
  caller: Principal,
  submission: HeldSubmission<Input, Output>,
): Promise<Answered> {
  const { order, idempotency } = submission;
  const at = await askedAt(services, caller, submission.place);
  if (caller.isDryRun === true) return submitTried(services, at, submission);
  return submitForCaller(services.engine, caller, {
    command: holding(order),
    input: heldInput(services, at, submission),
    toAnswer: heldAnswer(services, at, submission),
    idempotency: keptUnder(idempotency, at),
    secret: true,
  });
}

/** The answer is the order as it would be carried out, whether it waits or not. */
function submitTried<Input, Output>(
  services: Services,
  at: AskedAt,
  submission: HeldSubmission<Input, Output>,
): Promise<Answered> {
  return submitDryRun(services.engine, at.caller, {
    command: tryingOut(submission.order),
    input: heldInput(services, at, submission),
    toAnswer: ({ done }) => submission.toAnswer(done),
    approvalOf: ({ approval }) => neededOf(approval),
  });
}

/** What a dry run tells of the approval that an order would wait for. */
export function neededOf(approval: Approval | undefined): NeededApproval | undefined {
  return approval && { needed: approval.approvalsNeeded, kind: approval.kind };
}

export interface FoundHeldSubmission<Input, Output>
  extends Omit<HeldSubmission<Input, Output>, "input" | "content" | "place" | "issued"> {
  /** The look-up that the order needs. If it refuses, its refusal is submitted in place of the order: see `submitFound`. */
  readonly find: () => Promise<Pick<HeldSubmission<Input, Output>, "input" | "content">>;
}

export async function submitHeldFound<Input, Output>(
  services: Services,
  caller: Principal,
  { find, ...submission }: FoundHeldSubmission<Input, Output>,
): Promise<Answered> {
  const { order, idempotency } = submission;
  const at = await askedAt(services, caller, undefined);
  return submitFound(services.engine, caller, {
    command: holding(order),
    find: async () => heldInput(services, at, await find()),
    toAnswer: heldAnswer(services, at, submission),
    idempotency: keptUnder(idempotency, at),
    secret: true,
  });
}

/** The caller, and the facts by which an order is judged. */
interface AskedAt {
  readonly caller: Principal;
  readonly place: ApprovalPlace;
  readonly mustShow: boolean;
}

async function askedAt(
  services: Services,
  caller: Principal,
  place: ApprovalPlace | undefined,
): Promise<AskedAt> {
  return {
    caller,
    place: place ?? (await placeOf(services, caller.platformId)),
    mustShow: await mustShowPasskey(services, caller),
  };
}

function heldInput<Input>(
  services: Services,
  { caller: { platformId, environment }, place, mustShow }: AskedAt,
  { input, content }: { readonly input: Input; readonly content: object },
): HeldInput<Input> {
  return {
    input,
    sealed: sealContent(services, platformId, content),
    hasTwoOwners: hasTwoOwners(place.people),
    environment,
    mustShowPasskey: mustShow,
  };
}

function heldAnswer<Input, Output>(
  services: Services,
  { caller: { platformId }, place }: AskedAt,
  { toAnswer, issued }: Pick<HeldSubmission<Input, Output>, "toAnswer" | "issued">,
) {
  return (held: Held<Output>) =>
    held.kind === "done"
      ? toAnswer(held.done)
      : {
          status: 202,
          body: withIssued(shownApproval(services, { platformId, place }, held.approval), issued),
        };
}

/** A refusal is not stored under the key, because the same request is sent again after the passkey was shown. */
function keptUnder(
  idempotency: Idempotency | undefined,
  { mustShow }: AskedAt,
): Idempotency | undefined {
  return idempotency && mustShow ? { ...idempotency, keepsRefusals: false } : idempotency;
}

/**
 * Whether a person must show their passkey before they submit an order that waits. A session from an issuer is not enough for a person who
 * has a passkey, because the person who configures the issuer could submit orders in their name.
 */
export async function mustShowPasskey(
  { reads }: Pick<Services, "reads">,
  caller: Principal,
): Promise<boolean> {
  if (!isPerson(caller) || caller.isProvenByPasskey) return false;
  return (await findPasskeysOf(reads, caller.workspaceId, [caller.personId])).length > 0;
}

export function withIssued(text: string, issued: object | undefined): string {
  return issued === undefined ? text : `${text.slice(0, -1)},"issued":${JSON.stringify(issued)}}`;
}

/**
 * An order of a token is carried out at once. An order of a person may wait: the answer is then 202 with the approval. The API document
 * omits that answer, because its readers use tokens.
 */
export function submitOrder<Input, Output>(
  services: Services,
  caller: Principal,
  submission: HeldSubmission<Input, Output>,
): Promise<Answered> {
  if (isPerson(caller)) return submitHeld(services, caller, submission);
  const { order, input, toAnswer, idempotency, secret } = submission;
  const { command } = order;
  return submitForCaller(services.engine, caller, {
    command,
    input,
    toAnswer,
    idempotency,
    secret,
  });
}
