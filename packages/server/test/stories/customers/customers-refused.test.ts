/**
 * The refusals of each command about customers, in their order: a call with this fault and all that come after it is
 * answered with this one, and changes nothing. Faults that are named together have one code, or come to INVALID_INPUT.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { tablesThatHold } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
/** A person, a deleted business and a business that is decided. */
const ids = { person: "", deleted: "", decided: "" };
let ownerOfDeleted: string;
const UNKNOWN = "019a4f00-0000-7000-8000-000000000000";

const INFO = { legalName: "A", country: "US", taxId: "1", incorporatedOn: "2015-06-01" };
const PERSON = {
  firstName: "Mara",
  lastName: "Lind",
  birthDate: "1980-04-05",
  nationality: "US",
  address: { line1: "2 Pier Rd", postalCode: "02110", country: "US" },
  idType: "SSN",
  identifier: "123-45-6789",
};

const create = (body: object) => story.call("POST", "/customers", body);
const business = async (more: object = {}): Promise<string> =>
  (await create({ customerType: "BUSINESS", businessInfo: { ...INFO, ...more } })).json.id;
const owner = (customerId: string) => ({
  customerId,
  roles: ["UBO"],
  ownershipPercentage: 1,
  personalInfo: PERSON,
});

beforeAll(async () => {
  story = await openStory(server, { umaDomain: "order.example" });
  await ignoreUnknownFields(story);
  const { supportedCurrencies } = (await story.call("GET", "/config")).json;
  const inr = { ...supportedCurrencies[0], currencyCode: "INR" };
  await story.call("PATCH", "/config", { supportedCurrencies: [...supportedCurrencies, inr] });
  await create({ customerType: "INDIVIDUAL", platformCustomerId: "taken" });
  ids.person = (await create({ customerType: "INDIVIDUAL", idType: "SSN" })).json.id;
  ids.deleted = await business();
  ownerOfDeleted = (await story.call("POST", "/beneficial-owners", owner(ids.deleted))).json.id;
  await story.call("DELETE", `/customers/${ids.deleted}`);
  ids.decided = await business({ registrationNumber: "100" });
  await story.call("POST", "/verifications", { customerId: ids.decided });
});

interface Fault {
  readonly code: string;
  readonly status: number;
  /** The field that the refusal names. */
  readonly field?: string;
  /** Named together with those that come after it and are so too. */
  readonly isOneOfMany?: boolean;
  readonly put: (call: Call) => Call;
}

interface Call {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const withBody = (more: object) => (call: Call) => ({ ...call, body: { ...call.body, ...more } });
const withId = (id: () => string) => (call: Call) => ({ ...call, id: id() });
const invalid = { code: "INVALID_INPUT", status: 400 } as const;
const unknown = { code: "USER_NOT_FOUND", status: 404 } as const;
const deleted = { code: "CUSTOMER_DELETED", status: 410 } as const;

/** Later faults are put in first, so that an earlier one that uses the same field adds to it. */
const currency = (code: string) => (call: Call) =>
  withBody({ currencies: [code, ...((call.body.currencies as string[] | undefined) ?? [])] })(call);

const values: readonly Fault[] = (
  [
    {
      ...invalid,
      field: "purposeOfAccountOtherDescription",
      put: withBody({ purposeOfAccount: "OTHER" }),
    },
    { code: "INVALID_CURRENCY", status: 400, field: "currencies", put: currency("GBP") },
    { code: "MISSING_MANDATORY_USER_INFO", status: 400, field: "currencies", put: currency("INR") },
    {
      code: "INVALID_UMA_ADDRESS",
      status: 400,
      field: "umaAddress",
      put: withBody({ umaAddress: "$a@elsewhere.example" }),
    },
  ] as const satisfies readonly Fault[]
).map((fault) => ({ ...fault, isOneOfMany: true }));

const commands: readonly {
  readonly name: string;
  readonly send: (call: Call) => Promise<RawAnswer>;
  readonly faults: readonly Fault[];
}[] = [
  {
    name: "create-customer",
    send: ({ body }) => create({ customerType: "INDIVIDUAL", email: "no@trace.example", ...body }),
    faults: [
      ...values,
      {
        code: "CONFLICT",
        status: 409,
        field: "platformCustomerId",
        put: withBody({ platformCustomerId: "taken" }),
      },
    ],
  },
  {
    name: "update-customer",
    send: ({ id, body }) =>
      story.call("PATCH", `/customers/${id || ids.person}`, {
        customerType: "INDIVIDUAL",
        email: "no@trace.example",
        ...body,
      }),
    faults: [
      { ...unknown, put: withId(() => `Customer:${UNKNOWN}`) },
      { ...deleted, put: withId(() => ids.deleted) },
      {
        ...invalid,
        field: "customerType",
        put: (call) => (call.id === "" ? withBody({ customerType: "BUSINESS" })(call) : call),
      },
      {
        ...invalid,
        field: "identifier",
        isOneOfMany: true,
        put: withBody({ identifier: "9" }),
      },
      ...values,
    ],
  },
  {
    name: "create-beneficial-owner",
    send: ({ id }) => story.call("POST", "/beneficial-owners", owner(id)),
    faults: [
      { ...unknown, put: withId(() => `Customer:${UNKNOWN}`) },
      { ...deleted, put: withId(() => ids.deleted) },
      { ...invalid, field: "customerId", put: withId(() => ids.person) },
    ],
  },
  {
    name: "update-beneficial-owner",
    send: ({ id }) =>
      story.call("PATCH", `/beneficial-owners/${id}`, {
        personalInfo: { email: "no@trace.example" },
      }),
    faults: [
      {
        code: "REFERENCE_NOT_FOUND",
        status: 404,
        put: withId(() => `BeneficialOwner:${UNKNOWN}`),
      },
      { ...deleted, put: withId(() => ownerOfDeleted) },
    ],
  },
  {
    name: "submit-verification",
    send: ({ id }) => story.call("POST", "/verifications", { customerId: id }),
    faults: [
      { ...unknown, put: withId(() => `Customer:${UNKNOWN}`) },
      { ...deleted, put: withId(() => ids.deleted) },
      { code: "CONFLICT", status: 409, field: "customerId", put: withId(() => ids.decided) },
    ],
  },
];

function fieldsOf({ json }: RawAnswer): readonly string[] {
  const { errors, field } = json.details ?? {};
  if (errors === undefined) return field === undefined ? [] : [field];
  return errors.map((error: { field: string }) => error.field);
}

/** What a call with the faults from this one on is told. */
function expectedError(faults: readonly Fault[]) {
  const [first] = faults;
  const together =
    first?.isOneOfMany === true ? faults.filter(({ isOneOfMany }) => isOneOfMany) : [first];
  const codes = new Set(together.map((fault) => fault?.code));
  return {
    code: codes.size === 1 ? first?.code : "INVALID_INPUT",
    fields: together.flatMap((fault) => fault?.field ?? []),
  };
}

describe.each(commands)("$name", ({ send, faults }) => {
  it.each(faults.map(({ code, field = "" }, index) => ({ code, field, index })))(
    "refuses with $code $field before all that comes after it",
    async ({ index }) => {
      const { code, fields } = expectedError(faults.slice(index));
      const none: Call = { id: "", body: {} };
      const call = faults.slice(index).reduceRight((made, fault) => fault.put(made), none);
      const answer = await send(call);
      expect([answer.json.code, answer.status]).toEqual([code, faults[index]?.status]);
      const reported = fieldsOf(answer);
      expect(faults[index]?.isOneOfMany === true ? reported : reported.slice(0, 1)).toEqual(fields);
    },
  );
});

// Once for all calls, because the search reads every table.
it("leaves nothing of a refused call in the database", async () => {
  expect(await tablesThatHold(story, "no@trace.example")).toEqual([]);
});
