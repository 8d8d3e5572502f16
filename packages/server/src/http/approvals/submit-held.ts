/** Submits what a person asks for: it is carried out, or waits for other people where the policy says so. */
import { type ApprovalPlace, hasTwoOwners } from "../../domain/approvals/eligible-people.ts";
import { type HoldableOrder, holding } from "../../domain/approvals/hold-order.ts";
import { findPasskeysOf } from "../../domain/people/person.sql.ts";
import type { Answered } from "../../engine/command.ts";
import { isPerson, type PersonPrincipal, type Principal } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { type CallerSubmission, submitForCaller } from "../request/submit-for-caller.ts";
import { placeOf, sealContent, shownApproval } from "./approval-content.ts";

export interface HeldSubmission<Input, Output>
  extends Omit<CallerSubmission<Input, Output>, "command"> {
  readonly order: HoldableOrder<Input, Output>;
  /** What was asked for, as it is shown to who decides. */
  readonly content: object;
  /** Secrets that count once the order was carried out, shown to the person who asks. They are in the answer to the request alone. */
  readonly issued?: object;
  /** Read anew where it is absent. */
  readonly place?: ApprovalPlace;
}

export async function submitHeld<Input, Output>(
  services: Services,
  caller: PersonPrincipal,
  submission: HeldSubmission<Input, Output>,
): Promise<Answered> {
  const { order, input, content, toAnswer, idempotency } = submission;
  const { platformId, environment } = caller;
  const place = submission.place ?? (await placeOf(services, platformId));
  const mustShow = await mustShowPasskey(services, caller);
  return submitForCaller(services.engine, caller, {
    command: holding(order),
    input: {
      input,
      sealed: sealContent(services, platformId, content),
      hasTwoOwners: hasTwoOwners(place.people),
      environment,
      mustShowPasskey: mustShow,
    },
    toAnswer: (held) =>
      held.kind === "done"
        ? toAnswer(held.done)
        : {
            status: 202,
            body: withIssued(
              shownApproval(services, { platformId, place }, held.approval),
              submission.issued,
            ),
          },
    // The same request is sent again once the passkey was shown.
    idempotency: idempotency && mustShow ? { ...idempotency, keepsRefusals: false } : idempotency,
    secret: true,
  });
}

/**
 * Whether a person must show their passkey before they ask for what waits. A session that an issuer opened is not enough from a person who has
 * one, because the person who sets the issuer could ask as them.
 */
export async function mustShowPasskey(
  { reads }: Pick<Services, "reads">,
  { isProvenByPasskey, workspaceId, personId }: PersonPrincipal,
): Promise<boolean> {
  if (isProvenByPasskey) return false;
  return (await findPasskeysOf(reads, workspaceId, [personId])).length > 0;
}

export function withIssued(text: string, issued: object | undefined): string {
  return issued === undefined ? text : `${text.slice(0, -1)},"issued":${JSON.stringify(issued)}}`;
}

/**
 * An order of a token is carried out; one of a person may wait, and is answered 202 with the approval then. The document does not list that
 * answer, because the callers who read it use tokens.
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
