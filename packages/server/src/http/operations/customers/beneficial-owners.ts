import Type from "typebox";
import {
  findBeneficialOwner,
  listBeneficialOwners as loadBeneficialOwners,
} from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { createBeneficialOwner as createBeneficialOwnerCommand } from "../../../domain/customers/beneficial-owners/create-beneficial-owner.ts";
import { updateBeneficialOwner as updateBeneficialOwnerCommand } from "../../../domain/customers/beneficial-owners/update-beneficial-owner.ts";
import {
  BeneficialOwnerSchema,
  beneficialOwnerExample,
  beneficialOwnerJson,
} from "../../../wire/customers/beneficial-owner.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byId } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import {
  judgeOwner,
  NewOwnerBody,
  OwnerChangesBody,
  personalInfoOf,
  rolesOf,
} from "./owner-body.ts";

const owners = defineNoun({
  path: "/beneficial-owners",
  tag: "Beneficial owners",
  capability: "customers.read",
  schema: BeneficialOwnerSchema,
  example: beneficialOwnerExample,
  json: beneficialOwnerJson,
});

const { customerId, roles, ownershipPercentage, personalInfo } = beneficialOwnerExample;

const createBeneficialOwner = defineOperation({
  id: "createBeneficialOwner",
  ...route("POST /beneficial-owners", "MANAGE", "customers.write"),
  tag: "Beneficial owners",
  summary: "Create a beneficial owner",
  description:
    "Names a person who owns or controls a business. " +
    "Owners are checked with their business: `kycStatus` is decided when the business is. `ownershipPercentage` is 0 for a " +
    "person without a share.",
  body: NewOwnerBody,
  requestExample: { customerId, roles, ownershipPercentage, personalInfo },
  answers: { 201: shown(owners, "The owner.") },
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

const listBeneficialOwners = listAll({
  ...owners,
  id: "listBeneficialOwners",
  summary: "List beneficial owners",
  description: "The beneficial owners of one business.",
  filters: { customerId: byId("Customer", "t.customer_id", idField("Customer")) },
  list: loadBeneficialOwners,
});

const getBeneficialOwner = getOne({
  ...owners,
  id: "getBeneficialOwner",
  summary: "Get a beneficial owner",
  param: "beneficialOwnerId",
  kind: "BeneficialOwner",
  answer: "The owner.",
  find: findBeneficialOwner,
});

const updateBeneficialOwner = defineOperation({
  id: "updateBeneficialOwner",
  ...route("PATCH /beneficial-owners/{beneficialOwnerId}", "MANAGE", "customers.write"),
  tag: "Beneficial owners",
  summary: "Update a beneficial owner",
  description:
    "Absent fields stay as they are, those of `personalInfo` too; an address is sent whole.",
  params: Type.Object({ beneficialOwnerId: pathId("BeneficialOwner") }),
  body: OwnerChangesBody,
  requestExample: { ownershipPercentage: 40, personalInfo: { email: "mara@example.com" } },
  answers: { 200: shown(owners, "The owner as it is now.") },
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
