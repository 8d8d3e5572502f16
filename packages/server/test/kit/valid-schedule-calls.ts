/** Payment schedules, and a valid call of each operation on them. */
import type { Make } from "./made-objects.ts";
import { bankAccount, fundedCustomer, type Story } from "./story.ts";
import { expectStatus } from "./story-rails.ts";

export const MONTHLY = { every: "MONTH", on: 1, time: "09:00", timeZone: "Europe/Berlin" };

/** A schedule that pays a bank account each month. */
export async function scheduleBody(story: Story, more: object = {}) {
  const { accountId, customerId } = await fundedCustomer(story, 10_000);
  return {
    name: "Rent",
    template: {
      kind: "TRANSFER_OUT",
      source: { accountId },
      destination: { accountId: await bankAccount(story, { customerId }) },
      amount: 100,
    },
    rule: MONTHLY,
    ...more,
  };
}

async function schedule(story: Story): Promise<string> {
  const answer = await story.call("POST", "/payment-schedules", await scheduleBody(story));
  return expectStatus(201, answer).json.id;
}

export const scheduleObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  PaymentSchedule: schedule,
};

const path = async (story: Story, act: string) => ({
  path: `/payment-schedules/${await schedule(story)}/${act}`,
});

export const scheduleCalls: Readonly<Record<string, Make>> = {
  createPaymentSchedule: async (story) => ({
    path: "/payment-schedules",
    body: await scheduleBody(story),
  }),
  updatePaymentSchedule: async (story) => ({
    path: `/payment-schedules/${await schedule(story)}`,
    body: { name: "Rent of the office", template: (await scheduleBody(story)).template },
  }),
  pausePaymentSchedule: (story) => path(story, "pause"),
  resumePaymentSchedule: async (story) => {
    const id = await schedule(story);
    await story.call("POST", `/payment-schedules/${id}/pause`);
    return { path: `/payment-schedules/${id}/resume` };
  },
  skipPaymentScheduleRun: (story) => path(story, "skip"),
  runPaymentSchedule: (story) => path(story, "run"),
  endPaymentSchedule: (story) => path(story, "end"),
  listPaymentScheduleRuns: (story) => path(story, "runs"),
  previewPaymentSchedule: (story) => path(story, "preview?count=3"),
};
