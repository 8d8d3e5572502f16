/** The fault that a sandbox puts into its next answers to other institutions. */
import type { SetUmaFaultsBody, UmaSandboxFault } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Section } from "../../detail/facts.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { Waiting } from "../../ui/states.tsx";

const KINDS = [
  ...["BAD_SIGNATURE", "OLD_TIMESTAMP", "REPLAYED_NONCE", "WRONG_CURRENCY", "WRONG_AMOUNT"],
  ...["SHORT_EXPIRY", "REFUSE_KYC", "VERSION_0_3", "VERSION_9", "HANG", "HUGE", "REDIRECT"],
] as const;

export function Faults() {
  const may = useMay("sandbox.use");
  const reading = useRead<"getUmaFaults">(
    { method: "GET", path: ["sandbox", "uma", "faults"] },
    { isOff: !may },
  );
  if (!may) return undefined;
  return (
    <Section
      title={t("uma.faultsTitle")}
      act={<ActButton spec={setFault(reading.data)}>{t("uma.setFault")}</ActButton>}
    >
      <Waiting reading={reading}>
        {({ kind, next }) => (
          <p className="text-body">
            {kind === undefined || next === 0
              ? t("uma.noFault")
              : t("uma.nextFault", { count: next, fault: wordOf("umaFault", kind) })}
          </p>
        )}
      </Waiting>
    </Section>
  );
}

function setFault(fault: UmaSandboxFault | undefined): ActSpec<"setUmaFaults"> {
  return {
    title: t("uma.faultsTitle"),
    verb: t("act.save"),
    intro: t("uma.faultsIntro"),
    fields: [
      {
        name: "kind",
        label: "uma.fault",
        kind: "choice",
        initial: fault?.kind ?? "BAD_SIGNATURE",
        choices: stateChoices(KINDS, "umaFault"),
      },
      { name: "next", label: "uma.faultNext", kind: "text", initial: "1" },
    ],
    toCall: ({ kind, next = "" }) => {
      if (!/^\d{1,3}$/.test(next.trim())) throw new FormProblem({ next: t("uma.noFaultNext") });
      const body = { kind, next: Number(next) } as SetUmaFaultsBody;
      return { method: "PUT", path: ["sandbox", "uma", "faults"], body };
    },
  };
}
