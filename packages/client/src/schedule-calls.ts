import type {
  CreatePaymentScheduleBody,
  ListPaymentScheduleRunsQuery,
  ListPaymentSchedulesQuery,
  PreviewPaymentScheduleQuery,
  UpdatePaymentScheduleBody,
} from "./api-types.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import {
  type ExpandOptions,
  expanding,
  type ReadOptions,
  type RequestOptions,
} from "./transport.ts";

export function paymentScheduleCalls(send: Send) {
  const at = <const Act extends string>(id: string, act: Act) =>
    ["payment-schedules", id, act] as const;
  return {
    create: (body: CreatePaymentScheduleBody, options?: RequestOptions) =>
      send<"createPaymentSchedule">({ method: "POST", path: ["payment-schedules"], body }, options),
    list: (query?: ListPaymentSchedulesQuery, options?: ReadOptions) =>
      list<"listPaymentSchedules">(
        send,
        { method: "GET", path: ["payment-schedules"], query },
        options,
      ),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getPaymentSchedule">(
        { method: "GET", path: ["payment-schedules", id], ...expanding(expand) },
        options,
      ),
    update: (id: string, body: UpdatePaymentScheduleBody, options?: ReadOptions) =>
      send<"updatePaymentSchedule">(
        { method: "PATCH", path: ["payment-schedules", id], body },
        options,
      ),
    pause: (id: string, options?: RequestOptions) =>
      send<"pausePaymentSchedule">({ method: "POST", path: at(id, "pause") }, options),
    resume: (id: string, options?: RequestOptions) =>
      send<"resumePaymentSchedule">({ method: "POST", path: at(id, "resume") }, options),
    /** The next due time passes without a run. */
    skipNext: (id: string, options?: RequestOptions) =>
      send<"skipPaymentScheduleRun">({ method: "POST", path: at(id, "skip") }, options),
    /** One more run at once, beside the due times. */
    run: (id: string, options?: RequestOptions) =>
      send<"runPaymentSchedule">({ method: "POST", path: at(id, "run") }, options),
    end: (id: string, options?: RequestOptions) =>
      send<"endPaymentSchedule">({ method: "POST", path: at(id, "end") }, options),
    runs: (id: string, query?: ListPaymentScheduleRunsQuery, options?: ReadOptions) =>
      list<"listPaymentScheduleRuns">(
        send,
        { method: "GET", path: at(id, "runs"), query },
        options,
      ),
    preview: (id: string, query?: PreviewPaymentScheduleQuery, options?: ReadOptions) =>
      send<"previewPaymentSchedule">({ method: "GET", path: at(id, "preview"), query }, options),
  };
}
