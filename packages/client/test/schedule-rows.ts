/** The calls of payment schedules, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

export const scheduleRows: readonly Row[] = [
  [
    "paymentSchedules.create",
    (c) =>
      c.paymentSchedules.create({
        name: "Rent",
        template: {
          kind: "TRANSFER_OUT",
          source: { accountId: "a" },
          destination: { accountId: "b" },
          amount: 5,
        },
        rule: { every: "MONTH", on: 1, time: "09:00", timeZone: "Europe/Berlin" },
      }),
    "POST /payment-schedules",
  ],
  [
    "paymentSchedules.list",
    (c) => c.paymentSchedules.list({ status: "ACTIVE" }),
    "GET /payment-schedules?status=ACTIVE",
  ],
  [
    "paymentSchedules.get",
    (c) => c.paymentSchedules.get("PaymentSchedule:1"),
    "GET /payment-schedules/PaymentSchedule%3A1",
  ],
  [
    "paymentSchedules.update",
    (c) => c.paymentSchedules.update("PaymentSchedule:1", { name: "Rent" }),
    "PATCH /payment-schedules/PaymentSchedule%3A1",
  ],
  [
    "paymentSchedules.pause",
    (c) => c.paymentSchedules.pause("PaymentSchedule:1"),
    "POST /payment-schedules/PaymentSchedule%3A1/pause",
  ],
  [
    "paymentSchedules.resume",
    (c) => c.paymentSchedules.resume("PaymentSchedule:1"),
    "POST /payment-schedules/PaymentSchedule%3A1/resume",
  ],
  [
    "paymentSchedules.skipNext",
    (c) => c.paymentSchedules.skipNext("PaymentSchedule:1"),
    "POST /payment-schedules/PaymentSchedule%3A1/skip",
  ],
  [
    "paymentSchedules.run",
    (c) => c.paymentSchedules.run("PaymentSchedule:1"),
    "POST /payment-schedules/PaymentSchedule%3A1/run",
  ],
  [
    "paymentSchedules.end",
    (c) => c.paymentSchedules.end("PaymentSchedule:1"),
    "POST /payment-schedules/PaymentSchedule%3A1/end",
  ],
  [
    "paymentSchedules.runs",
    (c) => c.paymentSchedules.runs("PaymentSchedule:1", { limit: 5 }),
    "GET /payment-schedules/PaymentSchedule%3A1/runs?limit=5",
  ],
  [
    "paymentSchedules.preview",
    (c) => c.paymentSchedules.preview("PaymentSchedule:1", { count: 3 }),
    "GET /payment-schedules/PaymentSchedule%3A1/preview?count=3",
  ],
];
