/** The page of an invitation link: the inviter, the amount, how to accept, and the invitation's state. */
import {
  domainOf,
  isPlatformAddress,
  normalizeUmaAddress,
} from "../../domain/customers/uma-address.ts";
import { type Invitation, statusAt } from "../../domain/invitations/invitation.ts";
import type { Environment } from "../../domain/platforms/platform.ts";
import { displayAmount } from "../../money/display-amount.ts";
import { toIso } from "../../std/clock.ts";
import { invitationAt, invitationPath } from "../request/invitations.ts";
import type { Services } from "../request/services.ts";
import { postForm } from "./form.ts";
import type { HostedPage, Sheet } from "./hosted-page.ts";
import { html, type Markup, nothing } from "./markup.ts";
import { plainName } from "./plain-name.ts";

export const invitationPage: HostedPage<Services> = {
  id: "invitationPage",
  path: invitationPath,
  async show({ params, formToken }, services) {
    const open = await openInvitation(params, services);
    if ("status" in open) return open;
    return pendingSheet(open, { formToken, given: "", fault: undefined });
  },
  async submit({ params, formToken, fields }, services) {
    const open = await openInvitation(params, services);
    if ("status" in open) return open;
    const given = (fields.get(ADDRESS_FIELD) ?? "").trim();
    const address = normalizeUmaAddress(given);
    const fault = faultOf(address, open.invitation);
    if (address === undefined || fault !== undefined) {
      return pendingSheet(open, { formToken, given, fault });
    }
    return acceptSheet(open, address);
  },
};

const ADDRESS_FIELD = "umaAddress";

interface OpenInvitation {
  readonly code: string;
  readonly invitation: Invitation;
  readonly environment: Environment;
}

/** The invitation while it can be accepted, or a page that explains why it cannot. */
async function openInvitation(
  { invitationCode: code = "" }: Readonly<Record<string, string>>,
  services: Services,
): Promise<OpenInvitation | Sheet> {
  const found = await invitationAt(code, services);
  if (found === undefined) return unknownSheet;
  const { invitation, environment, clockOffsetMs } = found;
  switch (statusAt(invitation, services.clock.now() + clockOffsetMs)) {
    case "PENDING":
      return { code, invitation, environment };
    case "CLAIMED":
      return closedSheet("This invitation was accepted", invitation.claimedAt, [
        "The inviter's provider was told where to send the money.",
        "If it was not you who accepted, tell the person who sent you the link.",
      ]);
    case "CANCELLED":
      return closedSheet("This invitation was cancelled", invitation.updatedAt, [
        "It was taken back by the inviter's side. No money was sent for it.",
      ]);
    case "EXPIRED":
      return closedSheet("This invitation has expired", invitation.expiresAt, [
        "It was not accepted in time, so no money was sent for it. Ask the sender for a new link.",
      ]);
  }
}

/** The same page for an unknown and a malformed code. */
const unknownSheet: Sheet = {
  status: 404,
  title: "There is no invitation here",
  content: html`<p>Check that the whole link was copied. If it was, ask the sender for a new one.</p>`,
};

function closedSheet(title: string, at: number | null, sentences: readonly string[]): Sheet {
  const when = at === null ? nothing : html`<p class="soft">${moment(at)}</p>`;
  return {
    status: 200,
    title,
    content: html`${when}${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
  };
}

function faultOf(address: string | undefined, { inviterUma }: Invitation): string | undefined {
  if (address === undefined) {
    return "Enter a UMA address: a dollar sign, your name, @ and your provider, such as $you@provider.example.";
  }
  if (address === inviterUma) {
    return "This is the inviter's own address. Enter the address where you take money.";
  }
  return isPlatformAddress(address)
    ? "This is the address of a provider itself. Enter the address where you take money."
    : undefined;
}

function pendingSheet(
  open: OpenInvitation,
  form: { readonly formToken: string; readonly given: string; readonly fault: string | undefined },
): Sheet {
  const { code, invitation } = open;
  const { firstName } = invitation;
  return {
    status: form.fault === undefined ? 200 : 400,
    title:
      firstName === null
        ? "You are invited to be sent money"
        : `${plainName(firstName)} would like to send you money`,
    content: html`${offer(open)}
<h2>How to accept</h2>
<ol>
<li>Have a UMA address. It looks like <code>$you@provider.example</code>, and the provider where you keep your money gives it to you.</li>
<li>Give your provider the code of this invitation, or the link of this page: ${codeBox(code)}</li>
<li>Your provider accepts for you. Only then the inviter's provider is notified, and sends the money.</li>
</ol>
<p class="soft">A person who has the code can accept in your place: show it only to your provider.</p>
<h2>Is your address right?</h2>
${addressForm(form)}`,
  };
}

const TEST_NOTICE = html`<p class="notice">This is a test. No real money moves.</p>`;

/** The inviter, the amount and the expiry. The amount is what the inviter intends to send, not a commitment. */
function offer({ invitation, environment }: OpenInvitation): Markup {
  const { amountMinor, currency, expiresAt, inviterUma } = invitation;
  const amount =
    amountMinor === null || currency === null
      ? nothing
      : html`<p class="amount">${displayAmount({ minor: amountMinor, currency })}</p>`;
  return html`${environment === "SANDBOX" ? TEST_NOTICE : nothing}${amount}
<p>From <bdi>${inviterUma}</bdi></p>
<p class="soft">${expiresAt === null ? "Nothing has been sent yet." : html`Nothing has been sent yet. You can accept until ${moment(expiresAt)}.`}</p>`;
}

function codeBox(code: string): Markup {
  return html`<code class="code">${code}</code>`;
}

function addressForm({
  formToken,
  given,
  fault,
}: {
  readonly formToken: string;
  readonly given: string;
  readonly fault: string | undefined;
}): Markup {
  const error =
    fault === undefined ? nothing : html`<p class="error" id="address-error">${fault}</p>`;
  const state =
    fault === undefined
      ? html`aria-describedby="address-hint"`
      : html`aria-describedby="address-error address-hint" aria-invalid="true" autofocus`;
  return postForm(
    formToken,
    html`<label for="address">Your UMA address</label>
<p class="soft" id="address-hint">We check how it is written and tell you where to go. It is not stored, and nothing is accepted yet.</p>
${error}<input type="text" id="address" name="${ADDRESS_FIELD}" value="${given}" maxlength="320" required
autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="email" ${state}>
<button type="submit">Check my address</button>`,
  );
}

function acceptSheet(open: OpenInvitation, address: string): Sheet {
  const provider = domainOf(address);
  return {
    status: 200,
    title: `Accept at ${provider}`,
    content: html`${offer(open)}
<h2>What to do now</h2>
<ol>
<li>Open the app or the website of <strong>${provider}</strong>, as the owner of <bdi>${address}</bdi>.</li>
<li>Look for invitations, or ask its support, and enter this code: ${codeBox(open.code)}</li>
<li>Wait until ${provider} says that the invitation is accepted.</li>
</ol>
<p class="soft">Until then nothing is accepted and nothing is sent. Show the code only to your provider.</p>
<p><a href="">Use another address</a></p>`,
  };
}

function moment(at: number): Markup {
  const iso = toIso(at);
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
