import Type from "typebox";
import { customerTypes } from "../../../../../domain/customers/customer.ts";
import {
  LEASE_RUNS,
  listVerificationQueue,
} from "../../../../../domain/customers/verification/verification-queue.sql.ts";
import { toIso } from "../../../../../std/clock.ts";
import {
  VerificationCaseSchema,
  verificationCaseExample,
  verificationCaseJson,
} from "../../../../../wire/customers/verification-case.ts";
import { listOf } from "../../../../../wire/fields.ts";
import { when } from "../../../../request/filters.ts";
import { answerList } from "../../../../request/list.ts";
import { defineOperation } from "../../../../request/operation.ts";
import { pageParameters } from "../../../../request/paging.ts";
import type { Services } from "../../../../request/services.ts";
import { ofPlatform } from "../../../platform-path.ts";

const MINE = "t.taken_by = ?::uuid";

export const listVerificationCases = defineOperation({
  id: "listVerificationCases",
  method: "GET",
  path: ofPlatform("/verifications/queue"),
  access: "PERSON",
  capability: "customers.read",
  tag: "Verifications",
  summary: "List the verifications that wait for a decision",
  query: Type.Object({
    assigned: Type.Optional(
      Type.Enum(["MINE", "NONE"], {
        description: "Those that you have taken, or that no person has.",
      }),
    ),
    customerType: Type.Optional(Type.Enum([...customerTypes])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "The oldest first.",
      schema: listOf(VerificationCaseSchema),
      example: { data: [verificationCaseExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle({ principal, query }, services: Services) {
    const now = services.clock.now();
    const { assigned, customerType } = query;
    const isMine = assigned === "MINE";
    return answerList(services, {
      operationId: "listVerificationCases",
      principal,
      query,
      load: (page) =>
        listVerificationQueue(services.reads, {
          ...page,
          conditions: [
            when(customerType, "c.customer_type = ?::text"),
            when(isMine ? principal.personId : undefined, MINE),
            when(isMine ? toIso(now) : undefined, LEASE_RUNS),
            when(assigned === "NONE" ? toIso(now) : undefined, `(${LEASE_RUNS}) is not true`),
          ],
        }),
      idOf: ({ verification }) => verification.id,
      toJson: (queued) => verificationCaseJson(queued, { at: now + queued.aheadMs }),
    });
  },
});
