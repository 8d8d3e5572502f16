/** How the order of an approval is carried out, by the operation that was asked for. */
import type { Static } from "typebox";
import { toAdjustmentId } from "../../domain/payments/adjustments/adjustment.ts";
import {
  adjustmentNeeds,
  postAdjustment,
} from "../../domain/payments/adjustments/post-adjustment.ts";
import { executeHeldQuote } from "../../domain/payments/quotes/execute-held-quote.ts";
import {
  changePersonOrder,
  inviteOrder,
  reEnrolOrder,
  removePersonOrder,
} from "../../domain/people/approvals/held-people.ts";
import type { HoldableOrder } from "../../domain/people/approvals/hold-order.ts";
import { type SetPolicyInput, setPolicyOrder } from "../../domain/people/approvals/set-policy.ts";
import type { ChangePersonInput } from "../../domain/people/change-person.ts";
import type { InvitePersonInput } from "../../domain/people/invite-person.ts";
import { changeAgreedSso, changeSsoOrder } from "../../domain/people/single-sign-on/held-sso.ts";
import { createToken } from "../../domain/people/tokens/create-token.ts";
import { Refusal } from "../../engine/refusal.ts";
import { present } from "../../std/assert.ts";
import { toWireId } from "../../std/ids.ts";
import type { JsonObject } from "../../std/json.ts";
import { requireId } from "../../wire/ids.ts";
import { newLink } from "../console/link-code.ts";
import { workspacePlace } from "../console/operations/people/find-approval.ts";
import { agreedSsoInput, type SsoContent } from "../console/operations/people/held-sso.ts";
import { linkFor } from "../console/operations/people/person-access.ts";
import { policyInput } from "../console/operations/people/policies.ts";
import { type AdjustmentBody, adjustmentOrderIn } from "../operations/payments/adjustments.ts";
import {
  boundIn,
  executeQuoteOrder,
  type HeldQuoteContent,
} from "../operations/payments/held-quote.ts";
import {
  bookTransferInput,
  bookTransferOrder,
  refundInput,
  refundOrder,
  transferInInput,
  transferInOrder,
  transferOutInput,
  transferOutOrder,
} from "../operations/payments/held-transfers.ts";
import { readHeldTerms } from "../operations/payments/quote-body.ts";
import { agreedTokenInput, type TokenContent } from "../operations/people/held-token.ts";
import type { Services } from "../request/services.ts";
import { actOpeners } from "./open-acts.ts";
import { controlOpeners } from "./open-control.ts";
import { type Opener, type Order, type OrderPlace, opening, running } from "./openers.ts";

type PersonContent = Omit<ChangePersonInput, "by">;
type InviteContent = Omit<InvitePersonInput, "by" | "codeHash">;

/** A change of people, judged by what the one who asked may give now. */
async function asRequester<Input extends { readonly by: string | null }, Output>(
  { command, resultOf }: HoldableOrder<Input, Output>,
  input: Omit<Input, "by" | "productionIds">,
  { services, at }: { readonly services: Services; readonly at: OrderPlace },
): Promise<Order> {
  const { requesterId: by } = at.approval;
  const { productionIds } = await workspacePlace(services, { workspaceId: at.platformId });
  const whole = { ...input, by: present(by, "the person who asked"), productionIds };
  return running(command, whole as unknown as Input, resultOf);
}

/** The link is for who agrees, not for who asked: the two could be one person with it. */
function withLink(order: Order, url: string | undefined): Order {
  return url === undefined ? order : { ...order, issued: { url } };
}

function shownTo(url: string | undefined, { person }: OrderPlace): { readonly shownTo?: string } {
  return url === undefined || person === undefined ? {} : { shownTo: person.id };
}

/** By the operation's id. The content was validated by the schema of the operation when it was sent. */
const openers: Readonly<Record<string, Opener>> = {
  ...actOpeners,
  ...controlOpeners,
  createAdjustment(content) {
    const order = adjustmentOrderIn(content as Static<typeof AdjustmentBody>);
    return {
      needs: (world) => adjustmentNeeds(world, order),
      carryOut: (world, approval) => toAdjustmentId(postAdjustment(world, { order, approval }).id),
    };
  },
  transferOut: opening(transferOutOrder, transferOutInput),
  transferIn: opening(transferInOrder, transferInInput),
  createTransfer: opening(bookTransferOrder, bookTransferInput),
  refundTransaction: opening(refundOrder, refundInput),
  createToken: (content, _services, { approval, place }) =>
    running(
      createToken,
      agreedTokenInput(content as unknown as TokenContent, approval, place),
      ({ id }) => toWireId("Token", id),
    ),
  async updatePerson(content, services, at) {
    const { personId, ...change } = content as unknown as PersonContent;
    const input = { personId: requireId("Person", personId, "REFERENCE_NOT_FOUND"), ...change };
    return asRequester(changePersonOrder, input, { services, at });
  },
  async removePerson(content, services, at) {
    const raw = (content as { personId: string }).personId;
    const personId = requireId("Person", raw, "REFERENCE_NOT_FOUND");
    return asRequester(removePersonOrder, { personId }, { services, at });
  },
  async createInvite(content, services, at) {
    const { url, ...link } = newLink(services, at.platformId, "INVITE");
    const input = { ...(content as unknown as InviteContent), ...link, ...shownTo(url, at) };
    return withLink(await asRequester(inviteOrder, input, { services, at }), url);
  },
  async reEnrolPerson(content, services, at) {
    const raw = (content as { personId: string }).personId;
    const personId = requireId("Person", raw, "REFERENCE_NOT_FOUND");
    const { url, ...link } = await linkFor(services, { workspaceId: at.platformId, personId });
    const input = { personId, ...link, ...shownTo(url, at) };
    return withLink(await asRequester(reEnrolOrder, input, { services, at }), url);
  },
  async updateSso(content, services, at) {
    const input = await agreedSsoInput(content as unknown as SsoContent, { services, at });
    return running(changeAgreedSso, input, changeSsoOrder.resultOf);
  },
  setPolicy: (content, _services, at) => {
    const input = policyInput((content as { rules: SetPolicyInput["changes"] }).rules, at);
    return running(setPolicyOrder.command, input, setPolicyOrder.resultOf);
  },
  async executeQuote(content, services, { platformId }) {
    const order = content as unknown as HeldQuoteContent;
    const quoteId = requireId("Quote", order.quoteId, "QUOTE_NOT_FOUND");
    const terms = await readHeldTerms(services, platformId, order);
    const input = { quoteId, terms, bound: boundIn(order) };
    return running(executeHeldQuote, input, executeQuoteOrder.resultOf);
  },
};

/** A refusal that opening it meets, such as of an address that is gone, is one that carrying it out meets. */
export async function openOrder(
  services: Services,
  content: JsonObject,
  place: OrderPlace,
): Promise<Order & { readonly content: JsonObject }> {
  const { act } = place.approval;
  const open = present(openers[act], `how to carry out ${act}`);
  try {
    return { content, ...(await open(content, services, place)) };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const carryOut = () => {
      throw thrown;
    };
    return { content, needs: () => [], carryOut };
  }
}
