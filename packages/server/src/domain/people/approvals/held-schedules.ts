/**
 * Payment schedules as orders that may wait for other people: a new schedule, a change by which it may pay more, another payee or at other
 * times, and a run beside its due times. The runs of an agreed schedule need no further agreement.
 */
import type { Command } from "../../../engine/command.ts";
import {
  type CreateScheduleInput,
  createSchedule,
  grows,
  type ScheduleChange,
  type UpdateScheduleInput,
  updateSchedule,
} from "../../payments/schedules/create-schedule.ts";
import {
  type PaymentSchedule,
  paymentSchedules,
  toScheduleId,
} from "../../payments/schedules/payment-schedule.ts";
import { type RunMade, type RunNowInput, runNow } from "../../payments/schedules/run-schedule.ts";
import { toTransactionId } from "../../payments/transactions/transaction.ts";
import { type HoldableOrder, type OrderFacts, refuseUnlessAsShown } from "./hold-order.ts";
import { amountText } from "./payment-orders.ts";

function factsOf(what: string, { template, currency }: PaymentSchedule): OrderFacts {
  const minor = BigInt(template.minor);
  return { summary: `${what} of ${amountText(minor, currency)}`, amount: { currency, minor } };
}

const subjectOf = ({ scheduleId }: { readonly scheduleId: string }) => toScheduleId(scheduleId);

export const createScheduleOrder: HoldableOrder<CreateScheduleInput, PaymentSchedule> = {
  kind: "PAYMENT",
  act: "createPaymentSchedule",
  command: createSchedule,
  factsOf: (schedule) => factsOf("A schedule of payments", schedule),
  resultOf: ({ id }) => toScheduleId(id),
};

export const updateScheduleOrder: HoldableOrder<UpdateScheduleInput, ScheduleChange> = {
  kind: "PAYMENT",
  act: "updatePaymentSchedule",
  command: updateSchedule,
  subjectOf,
  factsOf: (change) => ({
    ...factsOf(`${toScheduleId(change.after.id)}: payments`, change.after),
    isHarmless: !grows(change),
  }),
  resultOf: ({ after }) => toScheduleId(after.id),
};

export const runScheduleOrder: HoldableOrder<RunNowInput, RunMade> = {
  kind: "PAYMENT",
  act: "runPaymentSchedule",
  command: runNow,
  subjectOf,
  factsOf: ({ schedule }) => factsOf(`One more run of ${toScheduleId(schedule.id)}`, schedule),
  resultOf: ({ transaction }) => toTransactionId(transaction.id),
};

/** The parts of a schedule that approvers are shown. */
export type ShownSchedule = Pick<PaymentSchedule, "template" | "rule">;

type AsShown<Input> = Input & { readonly shown: ShownSchedule };

/** Refuses when the schedule has changed since it was shown, and then whatever the command refuses. */
function asShown<Input extends { readonly scheduleId: string }, Output>({
  name,
  needs,
  decide,
}: Command<Input, Output>): Command<AsShown<Input>, Output> {
  return {
    name,
    needs,
    decide(world, { shown, ...rest }) {
      // The type parameter hides that the rest of the input is the command's own.
      const input = rest as unknown as Input;
      const schedule = world.find(paymentSchedules.ref(input.scheduleId));
      if (schedule !== undefined) {
        const { template, rule } = schedule;
        refuseUnlessAsShown("schedule", { shown, now: { template, rule } });
      }
      return decide(world, input);
    },
  };
}

export const updateAgreedSchedule = asShown(updateSchedule);
export const runAgreedSchedule = asShown(runNow);
