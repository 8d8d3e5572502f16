import type { Answer } from "@florin/client";
import { t } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import { platformNow } from "../../../text/time.ts";
import { OutsideText } from "../../../ui/values.tsx";

export type Batch = Answer<"getPaymentBatch">;

/** Items wait to be run. */
export const isUnderWay = ({ status }: Batch) => status === "PENDING" || status === "PROCESSING";

/** The batch waits for its time. */
export const isScheduled = ({ status, scheduledFor }: Batch) =>
  status === "PENDING" && scheduledFor !== undefined && Date.parse(scheduledFor) > platformNow();

export const sumOf = ({ currencyTotals }: Batch) =>
  currencyTotals.map(({ sum }) => amountLine(sum)).join(", ");

export const nameOf = ({ name }: Batch) =>
  name === undefined ? t("batches.unnamed") : <OutsideText text={name} isLine />;
