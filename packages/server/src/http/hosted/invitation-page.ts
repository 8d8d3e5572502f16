/** The page of an invitation link: the inviter, the amount, how to accept, and the invitation's state. */
import {
  domainOf,
  isPlatformAddress,
  normalizeUmaAddress,
} from "../../domain/customers/uma-address.ts";
import {
  type FoundInvitation,
  platformOfInvitation,
} from "../../domain/uma/invitations/invitation.sql.ts";
import {
  hashInvitationCode,
  type Invitation,
  isInvitationCode,
  statusAt,
} from "../../domain/uma/invitations/invitation.ts";
import { toIso } from "../../std/clock.ts";
import { invitationAt, invitationLink, invitationPath } from "../request/invitations.ts";
import type { Services } from "../request/services.ts";
import { findBranding, toBrand } from "./brand/brand.ts";
import { logoPage, type PlatformOf } from "./brand/logo-page.ts";
import { copyBox } from "./copy-script.ts";
import { postForm } from "./form.ts";
import type { HostedPage, HostedRequest, Sheet } from "./hosted-page.ts";
import type { TextKey } from "./language/catalogue.ts";
import type { Language } from "./language/language.ts";
import { html, type Markup, nothing } from "./markup.ts";
import { plainName } from "./plain-name.ts";

const platformOf: PlatformOf = async ({ invitationCode: code = "" }, { reads }) =>
  isInvitationCode(code) ? platformOfInvitation(reads, hashInvitationCode(code)) : undefined;

export const invitationPage: HostedPage<Services> = {
  id: "invitationPage",
  path: invitationPath,
  async brandOf(params, services) {
    const branding = await findBranding(await platformOf(params, services), services);
    return branding === null
      ? undefined
      : toBrand(branding, invitationPath.replace("{invitationCode}", params.invitationCode ?? ""));
  },
  async show(request, services) {
    const open = await openInvitation(request, services);
    if ("status" in open) return open;
    return pendingSheet(open, { given: "", fault: undefined });
  },
  async submit(submission, services) {
    const open = await openInvitation(submission, services);
    if ("status" in open) return open;
    const given = (submission.fields.get(ADDRESS_FIELD) ?? "").trim();
    const address = normalizeUmaAddress(given);
    const fault = faultOf(address, open.invitation);
    if (address === undefined || fault !== undefined) return pendingSheet(open, { given, fault });
    return acceptSheet(open, address);
  },
};

export const invitationLogoPage: HostedPage<Services> = logoPage({
  id: "invitationLogo",
  linkPath: invitationPath,
  platformOf,
});

const ADDRESS_FIELD = "umaAddress";
const EXAMPLE = "$you@provider.example";

interface OpenInvitation extends Pick<FoundInvitation, "invitation" | "environment"> {
  readonly request: HostedRequest;
  readonly code: string;
  /** The whole link of the page. */
  readonly url: string;
  /** The inviter's name, as far as the invitation shows it. */
  readonly sender: string | undefined;
}

/** The invitation while it can be accepted, or a page that explains why it cannot. */
async function openInvitation(
  request: HostedRequest,
  services: Services,
): Promise<OpenInvitation | Sheet> {
  const { invitationCode: code = "" } = request.params;
  const { language } = request;
  const found = await invitationAt(code, services);
  if (found === undefined) return unknownSheet(language);
  const { invitation, environment, clockOffsetMs } = found;
  const sender = senderOf(found);
  const closed = (title: TextKey, at: number | null, sentences: readonly TextKey[]) =>
    closedSheet(language, {
      title,
      at,
      sentences,
      sender: senderLine(language, invitation, sender),
    });
  switch (statusAt(invitation, services.clock.now() + clockOffsetMs)) {
    case "PENDING": {
      const { url } = invitationLink(code, services);
      return { request, code, url, invitation, environment, sender };
    }
    case "CLAIMED":
      return closed("claimed", invitation.claimedAt, ["claimedTold", "claimedNotYou"]);
    case "CANCELLED":
      return closed("cancelled", invitation.updatedAt, ["cancelledBy"]);
    case "EXPIRED":
      return closed("expired", invitation.expiresAt, ["expiredAsk"]);
  }
}

/** The full name where the invitation shows it, otherwise the first name that it was given, if any. */
function senderOf({ inviterName, invitation }: FoundInvitation): string | undefined {
  const name = plainName(inviterName ?? invitation.firstName ?? "").trim();
  return name === "" ? undefined : name;
}

/** The same page for an unknown and a malformed code. */
function unknownSheet(language: Language): Sheet {
  return {
    status: 404,
    title: language.text("noInvitation"),
    content: html`<p>${language.text("checkOrAsk")}</p>`,
  };
}

function closedSheet(
  language: Language,
  closed: {
    readonly title: TextKey;
    readonly at: number | null;
    readonly sentences: readonly TextKey[];
    readonly sender: Markup;
  },
): Sheet {
  const { title, at, sentences, sender } = closed;
  const when = at === null ? nothing : html`<p class="soft">${moment(language, at)}</p>`;
  const lines = sentences.map((key) => html`<p>${language.text(key)}</p>`);
  return {
    status: 200,
    title: language.text(title),
    content: html`${when}${lines}<p class="soft">${sender}</p>`,
  };
}

function faultOf(address: string | undefined, { inviterUma }: Invitation): TextKey | undefined {
  if (address === undefined) return "addressMalformed";
  if (address === inviterUma) return "addressOfInviter";
  return isPlatformAddress(address) ? "addressOfProvider" : undefined;
}

interface AddressForm {
  readonly given: string;
  readonly fault: TextKey | undefined;
}

function pendingSheet(open: OpenInvitation, form: AddressForm): Sheet {
  const { sender, request } = open;
  const { language } = request;
  return {
    status: form.fault === undefined ? 200 : 400,
    title:
      sender === undefined
        ? language.text("invited")
        : language.text("invitedBy", { name: sender }),
    copies: true,
    content: html`${offer(open)}
<h2>${language.text("howToAccept")}</h2>
<ol>
<li>${language.markup("haveAddress", { example: html`<code>${EXAMPLE}</code>` })}</li>
<li>${language.text("giveCode")}
${codeBox(open)}${linkBox(open)}</li>
<li>${language.text("providerAccepts")}</li>
</ol>
<p class="soft">${language.text("keepSecret")}</p>
<h2>${language.text("isAddressRight")}</h2>
${addressForm(request, form)}`,
  };
}

/** The inviter, the amount and the expiry. The amount is what the inviter intends to send, not a commitment. */
function offer({ invitation, environment, sender, request: { language } }: OpenInvitation): Markup {
  const { amountMinor, currency, expiresAt } = invitation;
  const test =
    environment === "SANDBOX" ? html`<p class="notice">${language.text("testMoney")}</p>` : nothing;
  const amount =
    amountMinor === null || currency === null
      ? nothing
      : html`<p class="amount">${language.amount({ minor: amountMinor, currency })}</p>`;
  const until =
    expiresAt === null
      ? html`${language.text("nothingSent")}`
      : language.markup("nothingSentUntil", { time: moment(language, expiresAt) });
  return html`${test}${amount}
<p>${senderLine(language, invitation, sender)}</p>
<p class="soft">${until}</p>`;
}

function senderLine(
  language: Language,
  { inviterUma }: Invitation,
  sender: string | undefined,
): Markup {
  const address = html`<bdi>${inviterUma}</bdi>`;
  if (sender === undefined) return language.markup("from", { address });
  return language.markup("fromName", {
    name: html`<strong><bdi>${sender}</bdi></strong>`,
    address,
  });
}

function codeBox({ code, request: { language } }: OpenInvitation): Markup {
  return copyBox({ id: "code", text: code, button: language.text("copyCode"), ...said(language) });
}

function linkBox({ url, request: { language } }: OpenInvitation): Markup {
  return copyBox({ id: "link", text: url, button: language.text("copyLink"), ...said(language) });
}

function said(language: Language) {
  return { done: language.text("copied"), failed: language.text("copyByHand") };
}

function addressForm(
  { formToken, language }: HostedRequest,
  { given, fault }: AddressForm,
): Markup {
  const example = EXAMPLE;
  const error =
    fault === undefined
      ? nothing
      : html`<p class="error" id="address-error">${language.text(fault, { example })}</p>`;
  const state =
    fault === undefined
      ? html`aria-describedby="address-hint"`
      : html`aria-describedby="address-error address-hint" aria-invalid="true" autofocus`;
  return postForm(
    formToken,
    html`<label for="address">${language.text("address")}</label>
<p class="soft" id="address-hint">${language.text("addressHint")}</p>
${error}<input type="text" id="address" name="${ADDRESS_FIELD}" value="${given}" maxlength="320" required
autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="email" ${state}>
<p class="actions"><button type="submit">${language.text("checkAddress")}</button></p>`,
  );
}

function acceptSheet(open: OpenInvitation, address: string): Sheet {
  const { language, linkTo } = open.request;
  const provider = domainOf(address);
  const named = html`<strong>${provider}</strong>`;
  const home = invitationPath.replace("{invitationCode}", open.code);
  return {
    status: 200,
    title: language.text("acceptAt", { provider }),
    copies: true,
    content: html`${offer(open)}
<h2>${language.text("whatNow")}</h2>
<ol>
<li>${language.markup("openApp", { provider: named, address: html`<bdi>${address}</bdi>` })}</li>
<li>${language.text("lookForInvitations")}
${codeBox(open)}</li>
<li>${language.text("waitForProvider", { provider })}</li>
</ol>
<p class="soft">${language.text("untilThen")}</p>
<p><a href="${linkTo(home)}">${language.text("otherAddress")}</a></p>`,
  };
}

function moment(language: Language, at: number): Markup {
  return html`<time datetime="${toIso(at)}">${language.moment(at)}</time>`;
}
