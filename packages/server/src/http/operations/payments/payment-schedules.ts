import Type, { type Static } from "typebox";
import {
  duesFrom,
  findSchedule,
  listRuns,
  listSchedules,
  type PaymentSchedule,
  scheduleStatuses,
} from "../../../domain/payments/schedules/payment-schedule.ts";
import {
  endSchedule,
  pauseSchedule,
  resumeSchedule,
  skipRun,
} from "../../../domain/payments/schedules/schedule-commands.ts";
import { isOnce } from "../../../domain/payments/schedules/schedule-rule.ts";
import {
  createScheduleOrder,
  runScheduleOrder,
  updateScheduleOrder,
} from "../../../domain/people/approvals/held-schedules.ts";
import type { Command } from "../../../engine/command.ts";
import { invalidFields, Refusal, type RefusalCode } from "../../../engine/refusal.ts";
import { timeZoneOf } from "../../../std/calendar/time-zone.ts";
import type { JsonObject } from "../../../std/json.ts";
import { statusFacet } from "../../../tables/facets.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import { pathId } from "../../../wire/id-fields.ts";
import {
  createScheduleExample,
  DueTimeSchema,
  dueTimeJson,
  type RuleBody,
  templateJson,
  wirePaymentSchedule,
  wireScheduleRun,
} from "../../../wire/payments/payment-schedule.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { ofEach } from "../../request/expand.ts";
import { answerList } from "../../request/list.ts";
import { defineNoun, getFacts, getOne, listAll, listFacts, shown } from "../../request/noun.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import { byFacet } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { payoutEvents } from "../event-lists.ts";
import {
  CreateScheduleBody,
  createScheduleInput,
  faultsOfRule,
  requireScheduleId,
  scheduleChange,
  UpdateScheduleBody,
} from "./held-schedules.ts";

const PATH = "/payment-schedules";

const schedules = defineNoun({
  path: PATH,
  tag: "Payment schedules",
  capability: "payments.read",
  ...wirePaymentSchedule,
  partiesOf: ofEach(({ template: { kind, sourceId, destinationId } }: PaymentSchedule) => ({
    from: { kind: "INTERNAL_ACCOUNT", id: sourceId },
    to: { kind: kind === "BOOK" ? "INTERNAL_ACCOUNT" : "EXTERNAL_ACCOUNT", id: destinationId },
  })),
});

const runs = {
  path: `${PATH}/{scheduleId}/runs`,
  tag: schedules.tag,
  capability: schedules.capability,
  ...wireScheduleRun,
} as const;

const changes = { access: "TRANSACT", capability: "payments.create", tag: schedules.tag } as const;
const inPath = Type.Object({ scheduleId: pathId("PaymentSchedule") });

/** Events of runs, and those of the payments that they make. */
const runEvents = [
  "PAYMENT_SCHEDULE.RUN_FAILED",
  "PAYMENT_SCHEDULE.RUN_MISSED",
  ...payoutEvents,
  "INCOMING_PAYMENT.COMPLETED",
] as const;

const transferRefusals = [
  "INVALID_INPUT",
  "INVALID_AMOUNT",
  "INVALID_CURRENCY",
  "AMOUNT_OUT_OF_RANGE",
  "SELF_PAYMENT",
  "USER_NOT_READY",
  "ACCOUNT_FROZEN",
  "CUSTOMER_FROZEN",
  "RAIL_PAUSED",
  "REFERENCE_NOT_FOUND",
  "NOT_IMPLEMENTED",
] as const satisfies readonly RefusalCode[];

/** A rule of another form is refused by the schema. */
function judgeRule({ rule }: JsonObject): Judgement<undefined> {
  const isRule = typeof rule === "object" && rule !== null && !Array.isArray(rule);
  return judgementOf(isRule ? faultsOfRule(rule as RuleBody) : []);
}

const createPaymentSchedule = defineOperation({
  ...changes,
  id: "createPaymentSchedule",
  ...route(`POST ${PATH}`),
  summary: "Create a payment schedule",
  description:
    "Makes the payment of `template` at the times of `rule`: once `at` a time, or every day, week or month. Each due time has one run, which is " +
    "decided then like the single call. The template is checked now like that call, except for the balance. A server that was down " +
    "makes the runs of the last 24 hours; earlier ones are missed. In a sandbox no run is missed: moving the clock makes the runs that it passes.",
  body: CreateScheduleBody,
  requestExample: createScheduleExample,
  answers: { 201: shown(schedules, "The schedule, with its first due time.") },
  events: runEvents,
  refusals: transferRefusals,
  judge: judgeRule,
  handle: ({ principal, body, idempotency }, services: Services) =>
    submitOrder(services, principal, {
      order: createScheduleOrder,
      content: body,
      input: createScheduleInput(body, services),
      toAnswer: (schedule) => ({ status: 201, body: wirePaymentSchedule.json(schedule) }),
      idempotency,
    }),
});

const listPaymentSchedules = listAll({
  ...schedules,
  id: "listPaymentSchedules",
  summary: "List payment schedules",
  filters: { status: byFacet(statusFacet, scheduleStatuses) },
  list: listSchedules,
});

const getPaymentSchedule = getOne({
  ...schedules,
  id: "getPaymentSchedule",
  summary: "Get a payment schedule",
  param: "scheduleId",
  kind: "PaymentSchedule",
  answer: "The schedule.",
  find: findSchedule,
});

async function requireFound(
  { reads }: Pick<Services, "reads">,
  { platformId }: Pick<Principal, "platformId">,
  raw: string,
): Promise<PaymentSchedule> {
  const found = await findSchedule(reads, platformId, requireScheduleId(raw));
  if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return found;
}

/** What approvers are shown of a schedule. */
function shownOf({ name, currency, template, rule }: PaymentSchedule) {
  return { name, currency, template: templateJson(template), rule };
}

const updatePaymentSchedule = defineOperation({
  ...changes,
  id: "updatePaymentSchedule",
  ...route(`PATCH ${PATH}/{scheduleId}`),
  summary: "Update a payment schedule",
  description:
    "Absent members stay. `template` and `rule` are replaced as a whole; a new rule begins now, and its `count` starts again.",
  params: inPath,
  body: UpdateScheduleBody,
  requestExample: { name: "Rent", retry: null },
  answers: {
    200: {
      description: "The schedule as it is now.",
      schema: schedules.schema,
      example: { ...wirePaymentSchedule.example, name: "Rent", retry: undefined },
    },
  },
  events: runEvents,
  refusals: [...transferRefusals, "CONFLICT"],
  judge: judgeRule,
  async handle({ principal, params, body }, services: Services) {
    const change = scheduleChange(body, services);
    if (Object.keys(change).length === 0) {
      throw invalidFields([{ field: "body", message: "must hold a member of the schedule" }]);
    }
    const schedule = await requireFound(services, principal, params.scheduleId);
    return submitOrder(services, principal, {
      order: updateScheduleOrder,
      content: { ...body, scheduleId: params.scheduleId, before: shownOf(schedule) },
      input: { scheduleId: schedule.id, change, rails: services.rails },
      toAnswer: ({ after }) => ({ status: 200, body: wirePaymentSchedule.json(after) }),
      idempotency: undefined,
    });
  },
});

interface Act {
  readonly id: string;
  readonly act: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: string;
  readonly example: Static<typeof schedules.schema>;
  readonly command: Command<{ readonly scheduleId: string }, PaymentSchedule>;
}

/** An operation that changes the state of a schedule and answers it. */
function scheduleAct({ id, act, summary, description, answer, example, command }: Act) {
  return defineOperation({
    ...changes,
    id,
    ...route(`POST ${PATH}/{scheduleId}/${act}`),
    summary,
    description,
    params: inPath,
    answers: { 200: { description: answer, schema: schedules.schema, example } },
    refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
    handle: ({ principal, params, idempotency }, { engine }: Services) =>
      submitForCaller(engine, principal, {
        command,
        input: { scheduleId: requireScheduleId(params.scheduleId) },
        toAnswer: (schedule) => ({ status: 200, body: wirePaymentSchedule.json(schedule) }),
        idempotency,
      }),
  });
}

const { nextAt: _, ...inactiveExample } = wirePaymentSchedule.example;

const pausePaymentSchedule = scheduleAct({
  id: "pausePaymentSchedule",
  act: "pause",
  summary: "Pause a payment schedule",
  description:
    "Due times pass without a run until the schedule is resumed. A run that would be tried again stays refused.",
  answer: "The schedule, `PAUSED`.",
  example: { ...inactiveExample, status: "PAUSED" },
  command: pauseSchedule,
});

const resumePaymentSchedule = scheduleAct({
  id: "resumePaymentSchedule",
  act: "resume",
  summary: "Resume a payment schedule",
  description:
    "The due times of the pause have no runs and are not part of `count`. A schedule whose due times are all over is `ENDED`.",
  answer: "The schedule, with its next due time.",
  example: wirePaymentSchedule.example,
  command: resumeSchedule,
});

const skipPaymentScheduleRun = scheduleAct({
  id: "skipPaymentScheduleRun",
  act: "skip",
  summary: "Skip the next run of a payment schedule",
  description: "The next due time passes without a run. It is part of `count`.",
  answer: "The schedule, with the due time after the skipped one.",
  example: { ...wirePaymentSchedule.example, nextAt: "2027-02-01T08:00:00.000Z" },
  command: skipRun,
});

const endPaymentSchedule = scheduleAct({
  id: "endPaymentSchedule",
  act: "end",
  summary: "End a payment schedule",
  description: "No further run, not even one that would be tried again. It cannot be undone.",
  answer: "The schedule, `ENDED`.",
  example: { ...inactiveExample, status: "ENDED" },
  command: endSchedule,
});

const runPaymentSchedule = defineOperation({
  ...changes,
  id: "runPaymentSchedule",
  ...route(`POST ${PATH}/{scheduleId}/run`),
  summary: "Run a payment schedule now",
  description:
    "One more run, beside the due times, which stay; it is not part of `count`. A run that is refused answers the refusal of the single call, and " +
    "nothing is stored.",
  params: inPath,
  answers: {
    201: {
      description: "The run.",
      schema: wireScheduleRun.schema,
      example: { ...wireScheduleRun.example, trigger: "CALL" },
    },
  },
  events: [...payoutEvents, "INCOMING_PAYMENT.COMPLETED"],
  refusals: [...transferRefusals, "INSUFFICIENT_BALANCE", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const schedule = await requireFound(services, principal, params.scheduleId);
    return submitOrder(services, principal, {
      order: runScheduleOrder,
      content: { scheduleId: params.scheduleId, ...shownOf(schedule) },
      input: { scheduleId: schedule.id, rails: services.rails },
      toAnswer: ({ run }) => ({ status: 201, body: wireScheduleRun.json(run) }),
      idempotency,
    });
  },
});

const listPaymentScheduleRuns = defineOperation({
  ...listFacts(runs),
  id: "listPaymentScheduleRuns",
  summary: "List the runs of a payment schedule",
  params: inPath,
  query: Type.Object(pageParameters),
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { id } = await requireFound(services, principal, params.scheduleId);
    return answerList(services, {
      operationId: "listPaymentScheduleRuns",
      principal,
      query,
      load: (page) =>
        listRuns(services.reads, {
          ...page,
          conditions: [{ sql: "t.schedule_id = ?::uuid", value: id }],
        }),
      idOf: (run) => run.id,
      toJson: wireScheduleRun.json,
    });
  },
});

const USUAL_COUNT = 12;
const MOST_PREVIEWED = 100;

const previewed = {
  ...schedules,
  schema: Type.Object({ data: Type.Array(DueTimeSchema) }),
  example: { data: [{ dueAt: "2027-01-01T08:00:00.000Z", localTime: "2027-01-01 09:00" }] },
};

const previewPaymentSchedule = defineOperation({
  ...getFacts(previewed, "The due times, the next one first."),
  id: "previewPaymentSchedule",
  path: `${PATH}/{scheduleId}/preview`,
  summary: "List the next due times of a payment schedule",
  description:
    "Those of a paused schedule are the ones that it would have if it was resumed now. An ended one has none.",
  params: inPath,
  query: Type.Object({
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_PREVIEWED,
        default: USUAL_COUNT,
        description: "How many at most.",
      }),
    ),
  }),
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query: { count = USUAL_COUNT } }, services: Services) {
    const schedule = await requireFound(services, principal, params.scheduleId);
    const now = await platformTime(services, principal.platformId);
    const { rule } = schedule;
    const local = isOnce(rule) ? undefined : timeZoneOf(rule.timeZone).textOf;
    const data = duesFrom(schedule, now, count).map((dueAt) => dueTimeJson(dueAt, local));
    return { status: 200, body: JSON.stringify({ data }) };
  },
});

export const paymentScheduleOperations = [
  createPaymentSchedule,
  listPaymentSchedules,
  getPaymentSchedule,
  updatePaymentSchedule,
  pausePaymentSchedule,
  resumePaymentSchedule,
  skipPaymentScheduleRun,
  runPaymentSchedule,
  endPaymentSchedule,
  listPaymentScheduleRuns,
  previewPaymentSchedule,
];
