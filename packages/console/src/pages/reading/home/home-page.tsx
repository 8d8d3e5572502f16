/** The home page: balances, open work, and the success and volume of payments. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Overview, PERIODS, type Period } from "../../../api/overview.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { classes } from "../../../ui/classes.ts";
import { PageHead } from "../../../ui/page-head.tsx";
import { Skeleton, Waiting } from "../../../ui/states.tsx";
import { NewPayment } from "../../payments/new-payment.tsx";
import { SecondPasskey } from "../../people/second-passkey.tsx";
import { Balances } from "./balances.tsx";
import {
  Checklist,
  type ChecklistState,
  type StepDialog,
  StepDialogs,
  useChecklist,
} from "./checklist.tsx";
import { DeskSection } from "./desk.tsx";
import { LastPayments, Problems } from "./last.tsx";
import { SuccessSection } from "./success.tsx";
import { type Choice, VolumeSection } from "./volume.tsx";
import { WaitingSection } from "./waiting.tsx";

const SKELETON_ROWS = 12;

export function HomePage() {
  const mayPay = useMay("payments.create");
  const [choice, choose] = useChoice();
  const { period, currency } = choice;
  const checklist = useChecklist();
  const reading = useRead<"getOverview">(
    {
      method: "GET",
      path: ["overview"],
      query: { period, ...(currency === undefined ? {} : { currency }) },
    },
    // The server updates the sums some seconds after the events.
    {
      keepsPrevious: true,
      isMoving: ({ asOfSequence, lastSequence }) => asOfSequence < lastSequence,
    },
  );
  return (
    <>
      <PageHead title={t("home.title")}>{mayPay && <NewPayment />}</PageHead>
      <SecondPasskey />
      <Waiting reading={reading} rows={SKELETON_ROWS}>
        {(overview) =>
          checklist === "unknown" ? (
            <Skeleton rows={SKELETON_ROWS} />
          ) : (
            <WithChecklist {...{ overview, checklist, choice, choose }} />
          )
        }
      </Waiting>
    </>
  );
}

interface SectionsProps {
  readonly overview: Overview;
  readonly choice: Choice;
  readonly choose: (choice: Partial<Choice>) => void;
}

/** Before the first payment there is nothing to draw, so the first steps are shown in its place. */
function WithChecklist({
  checklist,
  ...props
}: SectionsProps & { readonly checklist: ChecklistState | undefined }) {
  const [dialog, openDialog] = useState<StepDialog>();
  const { balances, waiting, volume } = props.overview;
  const steps = checklist && <Checklist checklist={checklist} onOpen={openDialog} />;
  return (
    <>
      {steps === undefined || volume.currencies.length > 0 ? (
        <Sections {...props} steps={steps} />
      ) : (
        <div className="flex flex-col gap-8">
          <Balances balances={balances} />
          {steps}
          <WaitingSection waiting={waiting} />
        </div>
      )}
      <StepDialogs open={dialog} onClose={() => openDialog(undefined)} />
    </>
  );
}

const COLUMNS = "wide:grid-cols-[3fr_2fr]";

/** The open work comes first: most visits are for it. */
function Sections({
  overview,
  choice,
  choose,
  steps,
}: SectionsProps & { readonly steps?: ReactNode }) {
  const { balances, volume, success, waiting, desk } = overview;
  return (
    <div className="flex flex-col gap-8">
      {steps}
      <div className={classes("grid gap-x-12 gap-y-8", desk !== undefined && COLUMNS)}>
        <WaitingSection
          waiting={
            // The desk tells of them, with what else it has to do.
            desk === undefined ? waiting : waiting.filter(({ kind }) => kind !== "SUSPENSE_ITEMS")
          }
        />
        {desk !== undefined && <DeskSection desk={desk} />}
      </div>
      <Balances balances={balances} />
      <div className={`grid gap-x-12 gap-y-8 ${COLUMNS}`}>
        <VolumeSection volume={volume} choice={choice} onChoose={choose} />
        <SuccessSection success={success} />
      </div>
      <div className={`grid gap-x-12 gap-y-8 ${COLUMNS}`}>
        <LastPayments />
        <Problems />
      </div>
    </div>
  );
}

const isPeriod = (text: string | undefined): text is Period =>
  PERIODS.some((period) => period === text);

/** Reads the period and the currency from the URL, and writes them to it. */
function useChoice(): readonly [Choice, (choice: Partial<Choice>) => void] {
  const search: Readonly<Record<string, string>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const choice = {
    period: isPeriod(search.period) ? search.period : "24h",
    currency: search.currency,
  } as const;
  const choose = (next: Partial<Choice>) => {
    const parts = Object.entries({ ...search, ...next }).filter(([, value]) => value !== undefined);
    void navigate({ to: ".", search: Object.fromEntries(parts) as never, replace: true });
  };
  return [choice, choose];
}
