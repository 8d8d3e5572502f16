/** Recipes for events of customers, verifications, bulk uploads and invitations, and for the test of an endpoint. */
import type { Recipe } from "./recipes.ts";
import { makePerson, type Sandbox, textOf } from "./sandbox.ts";

const PDF = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";

/** The last three digits of the name decide the check. */
async function person(sandbox: Sandbox, suffix = ""): Promise<string> {
  return textOf(await makePerson(sandbox, `${sandbox.settings.fullName}${suffix}`), "id");
}

async function frozenCustomer(sandbox: Sandbox): Promise<string> {
  const id = await person(sandbox);
  await sandbox.call("POST", `/customers/${id}/freeze`, { reason: "OTHER" });
  return id;
}

interface Submission {
  readonly customerId: string;
  readonly verificationId: string;
}

async function submit(sandbox: Sandbox, customerId: string): Promise<Submission> {
  const made = await sandbox.call("POST", "/verifications", { customerId });
  return { customerId, verificationId: textOf(made, "id") };
}

/** The last three digits of the registration number decide the check. Without a number, the check asks for missing documents. */
async function business(sandbox: Sandbox, registrationNumber?: string): Promise<Submission> {
  const made = await sandbox.call("POST", "/customers", {
    customerType: "BUSINESS",
    currencies: ["USD"],
    businessInfo: {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "12-3456789",
      incorporatedOn: "2015-06-01",
      ...(registrationNumber === undefined ? {} : { registrationNumber }),
    },
  });
  return submit(sandbox, textOf(made, "id"));
}

/** A person with everything that a check needs, and with a name that sends it to manual review. */
async function reviewedPerson(sandbox: Sandbox): Promise<string> {
  const made = await makePerson(sandbox, `${sandbox.settings.fullName}001`, {
    birthDate: "1991-02-03",
    nationality: "US",
    idType: "SSN",
    identifier: "123-45-6789",
    address: { line1: "1 Main St", city: "Boston", postalCode: "02110", country: "US" },
  });
  const customerId = textOf(made, "id");
  const form = new FormData();
  const facts = {
    documentHolder: customerId,
    documentType: "PASSPORT",
    country: "US",
    documentNumber: sandbox.digits(),
    issuingAuthority: "Department of State",
  };
  for (const [name, value] of Object.entries(facts)) form.append(name, value);
  form.append("file", new Blob([PDF], { type: "application/pdf" }), "passport.pdf");
  await sandbox.call("POST", "/documents", form);
  return (await submit(sandbox, customerId)).verificationId;
}

async function invitation(sandbox: Sandbox): Promise<string> {
  const customer = await makePerson(sandbox, sandbox.settings.fullName);
  const body = { inviterUma: textOf(customer, "umaAddress") };
  const code = textOf(await sandbox.call("POST", "/invitations", body), "code");
  await sandbox.call("POST", `/invitations/${encodeURIComponent(code)}/claim`, {
    inviteeUma: "$bea@wallet.test",
  });
  return code;
}

async function upload(sandbox: Sandbox, text: string): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([text], { type: "text/csv" }), "customers.csv");
  return textOf(await sandbox.call("POST", "/customers/bulk/csv", form), "jobId");
}

async function uploadOne(sandbox: Sandbox): Promise<string> {
  const domain = textOf(await sandbox.call("GET", "/config"), "umaDomain");
  const name = `trigger-${sandbox.digits()}`;
  const row = {
    umaAddress: `$${name}@${domain}`,
    platformCustomerId: name,
    customerType: "INDIVIDUAL",
    fullName: sandbox.settings.fullName,
    birthDate: "1991-02-03",
    addressLine1: "1 Main St",
    city: "Boston",
    state: "MA",
    postalCode: "02110",
    country: "US",
  };
  return upload(sandbox, `${Object.keys(row).join(",")}\n${Object.values(row).join(",")}\n`);
}

const PASSING = "7700100";
const WAITING = "7700001";
const FAILING = "7700002";

export const customerRecipes: readonly Recipe[] = [
  { type: "CUSTOMER.FROZEN", does: "a frozen customer", run: frozenCustomer },
  {
    type: "CUSTOMER.UNFROZEN",
    does: "a customer that was frozen and is free again",
    run: async (sandbox) => {
      const id = await frozenCustomer(sandbox);
      await sandbox.call("POST", `/customers/${id}/unfreeze`);
      return id;
    },
  },
  {
    type: "CUSTOMER.KYC_PENDING",
    does: "a person whose name ends in 001",
    run: (sandbox) => person(sandbox, "001"),
  },
  { type: "CUSTOMER.KYC_APPROVED", does: "a person", run: (sandbox) => person(sandbox) },
  {
    type: "CUSTOMER.KYC_REJECTED",
    does: "a person whose name ends in 002",
    run: (sandbox) => person(sandbox, "002"),
  },
  { type: "INVITATION_CLAIMED", does: "an invitation that is claimed", run: invitation },
  {
    type: "CUSTOMER.KYB_PENDING",
    does: "a business whose registration number ends in 001",
    run: async (sandbox) => (await business(sandbox, WAITING)).customerId,
  },
  {
    type: "CUSTOMER.KYB_APPROVED",
    does: "a business that is submitted",
    run: async (sandbox) => (await business(sandbox, PASSING)).customerId,
  },
  {
    type: "CUSTOMER.KYB_REJECTED",
    does: "a business whose registration number ends in 002",
    run: async (sandbox) => (await business(sandbox, FAILING)).customerId,
  },
  {
    type: "VERIFICATION.RESOLVE_ERRORS",
    does: "a business that is submitted without its papers",
    run: async (sandbox) => (await business(sandbox)).verificationId,
  },
  {
    type: "VERIFICATION.IN_PROGRESS",
    does: "a business whose registration number ends in 001",
    run: async (sandbox) => (await business(sandbox, WAITING)).verificationId,
  },
  {
    type: "VERIFICATION.PENDING_MANUAL_REVIEW",
    does: "a person whose name ends in 001, submitted with a passport",
    run: reviewedPerson,
  },
  {
    type: "VERIFICATION.APPROVED",
    does: "a business that is submitted",
    run: async (sandbox) => (await business(sandbox, PASSING)).verificationId,
  },
  {
    type: "VERIFICATION.REJECTED",
    does: "a business whose registration number ends in 002",
    run: async (sandbox) => (await business(sandbox, FAILING)).verificationId,
  },
  { type: "BULK_UPLOAD.COMPLETED", does: "a file with one customer", run: uploadOne },
  {
    type: "BULK_UPLOAD.FAILED",
    does: "a file that is no table",
    run: (sandbox) => upload(sandbox, "this is\nno table of customers\n"),
  },
  {
    type: "TEST",
    does: "a test of the webhook endpoint, which must be set; no stream has it",
    isUnlisted: true,
    run: async (sandbox) => {
      await sandbox.call("POST", "/sandbox/webhooks/test");
      return "";
    },
  },
  {
    type: "WEBHOOK_ENDPOINT.DISABLED",
    does: "an endpoint beside the default one at which every attempt fails for five days",
  },
];
