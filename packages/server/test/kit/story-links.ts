/** Verification links of a story's platform, and the requests of a browser on their pages. */
import { PDF } from "./forms.ts";
import type { RawAnswer, Story } from "./story.ts";
import { formTokenIn, open, post, type ShownPage } from "./story-invitations.ts";

export const PERSON = {
  fullName: "Ana Ruiz",
  "birthDate.day": "3",
  "birthDate.month": "2",
  "birthDate.year": "1991",
  nationality: "US",
  "address.line1": "1 Main St",
  "address.city": "Boston",
  "address.postalCode": "02110",
  "address.country": "US",
  idType: "SSN",
  identifier: "123-45-6789",
};

export const COMPANY = {
  "businessInfo.legalName": "Lind Boats LLC",
  "businessInfo.country": "US",
  "businessInfo.incorporatedOn.day": "1",
  "businessInfo.incorporatedOn.month": "6",
  "businessInfo.incorporatedOn.year": "2015",
  "businessInfo.taxId": "12-3456789",
  "businessInfo.countriesOfOperation.1": "united states",
  "businessInfo.countriesOfOperation.2": "mx",
  "address.line1": "2 Pier Rd",
  "address.postalCode": "02110",
  "address.country": "US",
};

export const OWNER_FORM = {
  "personalInfo.firstName": "Mara",
  "personalInfo.lastName": "Lind",
  "roles.UBO": "on",
  "roles.CONTROL_PERSON": "on",
  ownershipPercentage: "60",
  "personalInfo.birthDate.day": "5",
  "personalInfo.birthDate.month": "4",
  "personalInfo.birthDate.year": "1980",
  "personalInfo.nationality": "US",
  "personalInfo.address.line1": "2 Pier Rd",
  "personalInfo.address.postalCode": "02110",
  "personalInfo.address.country": "US",
  "personalInfo.idType": "SSN",
  "personalInfo.identifier": "123-45-6789",
};

export const PASSPORT = {
  documentType: "PASSPORT",
  country: "US",
  documentNumber: "P-1",
  issuingAuthority: "State Department",
};

export async function unverifiedPerson(story: Story): Promise<string> {
  const made = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana 003",
  });
  return made.json.id;
}

export async function unverifiedBusiness(story: Story, more: object = {}): Promise<string> {
  const made = await story.call("POST", "/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "12-3456789",
      incorporatedOn: "2015-06-01",
      ...more,
    },
  });
  return made.json.id;
}

export function link(
  story: Story,
  customerId: string,
  body?: object,
  key?: string,
): Promise<RawAnswer> {
  const options = key === undefined ? {} : { key };
  return story.call("POST", `/customers/${customerId}/kyc-link`, body, options);
}

/** The URL of a new link without its query. */
export async function linkHomeOf(story: Story, customerId: string, body?: object): Promise<string> {
  const { kycUrl } = (await link(story, customerId, body)).json;
  return kycUrl.split("?")[0];
}

export async function fill(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<ShownPage> {
  const page = await open(url);
  return post(url, { "form-token": formTokenIn(page.html), ...fields });
}

export async function upload(
  url: string,
  fields: Readonly<Record<string, string>>,
  file: { readonly bytes?: Buffer; readonly name?: string } = {},
): Promise<ShownPage> {
  const token = formTokenIn((await open(url)).html);
  return postUpload(url, { "form-token": token, ...fields }, file);
}

export function postUpload(
  url: string,
  fields: Readonly<Record<string, string>>,
  { bytes = PDF, name = "paper.pdf" }: { readonly bytes?: Buffer; readonly name?: string } = {},
): Promise<ShownPage> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  return open(url, { method: "POST", body: form, redirect: "manual" });
}
