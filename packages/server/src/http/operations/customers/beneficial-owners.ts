import Type from "typebox";
import {
  findBeneficialOwner,
  listBeneficialOwners as loadBeneficialOwners,
} from "../../../domain/customers/beneficial-owners/beneficial-owner.sql.ts";
import { createBeneficialOwner as createBeneficialOwnerCommand } from "../../../domain/customers/beneficial-owners/create-beneficial-owner.ts";
import { updateBeneficialOwner as updateBeneficialOwnerCommand } from "../../../domain/customers/beneficial-owners/update-beneficial-owner.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  BeneficialOwnerSchema,
  beneficialOwnerExample,
  beneficialOwnerJson,
} from "../../../wire/customers/beneficial-owner.ts";
import { listOf } from "../../../wire/fields.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId, requireIdField } from "../../../wire/ids.ts";
import { when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import {
  judgeOwner,
  NewOwnerBody,
  OwnerChangesBody,
  personalInfoOf,
  rolesOf,
} from "./owner-body.ts";

const { customerId, roles, ownershipPercentage, personalInfo } = beneficialOwnerExample;

export const createBeneficialOwner = defineOperation({
  id: "createBeneficialOwner",
  method: "POST",
  path: "/beneficial-owners",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Beneficial owners",
  summary: "Create a beneficial owner",
  description:
    "Names a person who owns or controls a business. " +
    "Owners are checked with their business: `kycStatus` is decided when the business is. `ownershipPercentage` is 0 for a " +
    "person without a share.",
  body: NewOwnerBody,
  requestExample: { customerId, roles, ownershipPercentage, personalInfo },
  answers: {
    201: {
      description: "The owner.",
      schema: BeneficialOwnerSchema,
      example: beneficialOwnerExample,
    },
  },
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND", "CUSTOMER_DELETED"],
  judge: judgeOwner,
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: createBeneficialOwnerCommand,
      input: {
        customerId: requireIdField(
          "Customer",
          { field: "customerId", raw: body.customerId },
          "USER_NOT_FOUND",
        ),
        roles: rolesOf(body.roles),
        ownershipPercentage: body.ownershipPercentage,
        personalInfo: personalInfoOf(body.personalInfo),
      },
      toAnswer: (owner) => ({ status: 201, body: beneficialOwnerJson(owner) }),
      idempotency,
    }),
});

export const listBeneficialOwners = defineOperation({
  id: "listBeneficialOwners",
  method: "GET",
  path: "/beneficial-owners",
  access: "VIEW",
  capability: "customers.read",
  tag: "Beneficial owners",
  summary: "List beneficial owners",
  description: "The beneficial owners of one business.",
  query: Type.Object({ customerId: idField("Customer"), ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(BeneficialOwnerSchema),
      example: { data: [beneficialOwnerExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listBeneficialOwners",
      principal,
      query,
      load: (page) =>
        loadBeneficialOwners(services.reads, {
          ...page,
          conditions: [when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid")],
        }),
      idOf: ({ id }) => id,
      toJson: beneficialOwnerJson,
    }),
});

export const getBeneficialOwner = defineOperation({
  id: "getBeneficialOwner",
  method: "GET",
  path: "/beneficial-owners/{beneficialOwnerId}",
  access: "VIEW",
  capability: "customers.read",
  tag: "Beneficial owners",
  summary: "Get a beneficial owner",
  params: Type.Object({ beneficialOwnerId: pathId("BeneficialOwner") }),
  answers: {
    200: {
      description: "The owner.",
      schema: BeneficialOwnerSchema,
      example: beneficialOwnerExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("BeneficialOwner", params.beneficialOwnerId, "REFERENCE_NOT_FOUND");
    const owner = await findBeneficialOwner(reads, principal.platformId, id);
    if (owner === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: beneficialOwnerJson(owner) };
  },
});

export const updateBeneficialOwner = defineOperation({
  id: "updateBeneficialOwner",
  method: "PATCH",
  path: "/beneficial-owners/{beneficialOwnerId}",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Beneficial owners",
  summary: "Update a beneficial owner",
  description:
    "Absent fields stay as they are, those of `personalInfo` too; an address is sent whole.",
  params: Type.Object({ beneficialOwnerId: pathId("BeneficialOwner") }),
  body: OwnerChangesBody,
  requestExample: { ownershipPercentage: 40, personalInfo: { email: "mara@example.com" } },
  answers: {
    200: {
      description: "The owner as it is now.",
      schema: BeneficialOwnerSchema,
      example: beneficialOwnerExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CUSTOMER_DELETED"],
  judge: judgeOwner,
  handle: async ({ principal, params, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: updateBeneficialOwnerCommand,
      input: {
        ownerId: requireId("BeneficialOwner", params.beneficialOwnerId, "REFERENCE_NOT_FOUND"),
        roles: body.roles && rolesOf(body.roles),
        ownershipPercentage: body.ownershipPercentage,
        personalInfo: personalInfoOf(body.personalInfo ?? {}),
      },
      toAnswer: (owner) => ({ status: 200, body: beneficialOwnerJson(owner) }),
    }),
});

export const beneficialOwnerOperations = [
  createBeneficialOwner,
  listBeneficialOwners,
  getBeneficialOwner,
  updateBeneficialOwner,
];
