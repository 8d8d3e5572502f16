import type { CreateInvitationBody } from "@florin/client";
import { type ActSpec, FormProblem, type FormValues } from "../../../act/act-spec.ts";
import { ShownOnce } from "../../../act/shown-once.tsx";
import type { PlatformSend } from "../../../api/platform-send.ts";
import { now } from "../../../std/host.ts";
import { t } from "../../../text/messages.ts";
import { decimalsFor, readAmount } from "../../../text/money.ts";

const DAYS = [7, 30, 90];
const DAY_MS = 86_400_000;

export function inviteAct(send: PlatformSend): ActSpec<"createInvitation"> {
  return {
    title: t("invitations.new"),
    verb: t("invitations.make"),
    intro: t("invitations.intro"),
    fields: [
      {
        name: "inviterUma",
        label: "invitations.inviter",
        kind: "text",
        placeholder: "$ana@florin.test",
        hint: t("invitations.inviterHint"),
      },
      {
        name: "amountToSend",
        label: "column.amount",
        kind: "amount",
        isOptional: true,
        hint: t("invitations.amountHint"),
      },
      {
        name: "firstName",
        label: "invitations.firstName",
        kind: "text",
        isOptional: true,
        hint: t("invitations.firstNameHint"),
      },
      {
        name: "expiresAt",
        label: "column.expires",
        kind: "choice",
        initial: String(DAYS[1]),
        choices: [
          ...DAYS.map((days) => ({ value: String(days), label: t("invitations.days", { days }) })),
          { value: "never", label: t("invitations.never") },
        ],
      },
    ],
    toCall: async (values) => ({
      method: "POST",
      path: ["invitations"],
      body: await bodyOf(values, send),
    }),
    after: ({ url }) => (
      <>
        <p className="text-form">{t("invitations.made")}</p>
        <ShownOnce text={url} what={t("invitations.link")} />
      </>
    ),
  };
}

async function bodyOf(values: FormValues, send: PlatformSend): Promise<CreateInvitationBody> {
  const { inviterUma = "", amountToSend = "", firstName = "", expiresAt = "" } = values;
  return {
    inviterUma: inviterUma.trim(),
    ...(amountToSend.trim() === ""
      ? {}
      : { amountToSend: await minorAmount(amountToSend, inviterUma.trim(), send) }),
    ...(firstName.trim() === "" ? {} : { firstName: firstName.trim() }),
    ...(expiresAt === "never"
      ? {}
      : { expiresAt: new Date(now() + Number(expiresAt) * DAY_MS).toISOString() }),
  };
}

/** Parses the amount in the inviter's first currency. */
async function minorAmount(text: string, umaAddress: string, send: PlatformSend): Promise<number> {
  const { data } = await send<"listCustomers">({
    method: "GET",
    path: ["customers"],
    query: { umaAddress, limit: 1 },
  });
  const [inviter] = data;
  if (inviter === undefined) throw new FormProblem({ inviterUma: t("invitations.noInviter") });
  const [currency] = inviter.currencies ?? [];
  if (currency === undefined) throw new FormProblem({ amountToSend: t("invitations.noCurrency") });
  const minor = readAmount(text, decimalsFor(currency));
  if (minor === undefined || minor <= 0n || minor > BigInt(Number.MAX_SAFE_INTEGER))
    throw new FormProblem({ amountToSend: t("form.noAmount") });
  return Number(minor);
}
