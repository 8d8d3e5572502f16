/** A phone number as it is stored: without the spaces and hyphens that people group its digits by. */
export function plainPhoneNumber(text: string): string {
  return text.replace(/[ -]/g, "");
}

/**
 * The customer's fields beyond its own columns, one row each: these tables drive validation, storage, answers and
 * verification.
 */

/** The form of a field's value. Duplicates in a list are dropped. */
export type FieldForm =
  | { readonly form: "text"; readonly longest: number }
  | { readonly form: "digits"; readonly pattern: string }
  | { readonly form: "date" }
  | { readonly form: "country" }
  | { readonly form: "countries" }
  | { readonly form: "choice"; readonly values: readonly string[] }
  | { readonly form: "choices"; readonly values: readonly string[] };

export type CustomerField = FieldForm & {
  readonly name: string;
  /** Must be sent when the customer is created. */
  readonly isRequired?: true;
  /** The field whose OTHER this text explains: required with OTHER, and removed when OTHER is no longer chosen. */
  readonly explains?: string;
};

export const OTHER = "OTHER";

export const idTypes = ["SSN", "ITIN", "EIN", "NON_US_TAX_ID"] as const;
export type IdType = (typeof idTypes)[number];

const purposes = [
  "CONTRACTOR_PAYOUTS",
  "CREATOR_PAYOUTS",
  "EMPLOYEE_PAYOUTS",
  "MARKETPLACE_SELLER_PAYOUTS",
  "SUPPLIER_PAYMENTS",
  "CROSS_BORDER_B2B",
  "AR_AUTOMATION",
  "AP_AUTOMATION",
  "EMBEDDED_PAYMENTS",
  "PLATFORM_FEE_COLLECTION",
  "P2P_TRANSFERS",
  "CHARITABLE_DONATIONS",
  OTHER,
];

const monthlyCounts = [
  "COUNT_UNDER_10",
  "COUNT_10_TO_100",
  "COUNT_100_TO_500",
  "COUNT_500_TO_1000",
  "COUNT_OVER_1000",
];

const monthlyVolumes = [
  "VOLUME_UNDER_10K",
  "VOLUME_10K_TO_100K",
  "VOLUME_100K_TO_1M",
  "VOLUME_1M_TO_10M",
  "VOLUME_OVER_10M",
];

const entityTypes = [
  "SOLE_PROPRIETORSHIP",
  "PARTNERSHIP",
  "LLC",
  "CORPORATION",
  "S_CORPORATION",
  "NON_PROFIT",
  "PUBLICLY_LISTED_COMPANY",
  "TRUST",
  "PRIVATE_FOUNDATION",
  "CHARITY",
  OTHER,
];

const businessTypes = [
  "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING",
  "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION",
  "UTILITIES",
  "CONSTRUCTION",
  "MANUFACTURING",
  "WHOLESALE_TRADE",
  "RETAIL_TRADE",
  "TRANSPORTATION_AND_WAREHOUSING",
  "INFORMATION",
  "FINANCE_AND_INSURANCE",
  "REAL_ESTATE_AND_RENTAL_AND_LEASING",
  "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES",
  "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES",
  "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES",
  "EDUCATIONAL_SERVICES",
  "HEALTH_CARE_AND_SOCIAL_ASSISTANCE",
  "ARTS_ENTERTAINMENT_AND_RECREATION",
  "ACCOMMODATION_AND_FOOD_SERVICES",
  "OTHER_SERVICES",
  "PUBLIC_ADMINISTRATION",
];

const text = (longest: number) => ({ form: "text", longest }) as const;
const choice = (...values: string[]) => ({ form: "choice", values }) as const;
const choices = (...values: string[]) => ({ form: "choices", values }) as const;

const NAME = text(255);
const EXPLANATION = text(500);

/** The only country whose identifiers are accepted from individuals. */
export const INDIVIDUAL_ISSUER = "US";

export const individualFields: readonly CustomerField[] = [
  { name: "idType", ...choice("SSN", "ITIN") },
  { name: "countryOfIssuance", ...choice(INDIVIDUAL_ISSUER) },
  {
    name: "sourceOfFundsCategories",
    ...choices(
      "SALARY",
      "SELF_EMPLOYMENT_INCOME",
      "INVESTMENT_INCOME",
      "PENSION",
      "RENTAL_INCOME",
      "GIFT",
      "INHERITANCE",
      "LOAN",
      "SAVINGS",
      "SALE_OF_ASSETS",
      OTHER,
    ),
  },
  { name: "sourceOfFundsOtherDescription", ...EXPLANATION, explains: "sourceOfFundsCategories" },
  {
    name: "sourceOfWealthCategories",
    ...choices(
      "SALARY",
      "BUSINESS_INCOME",
      "INVESTMENTS",
      "INHERITANCE",
      "PROPERTY_SALE",
      "GIFT",
      "RETIREMENT",
      "SAVINGS",
      OTHER,
    ),
  },
  { name: "sourceOfWealthOtherDescription", ...EXPLANATION, explains: "sourceOfWealthCategories" },
  { name: "purposeOfAccount", ...choice(...purposes) },
  { name: "purposeOfAccountOtherDescription", ...EXPLANATION, explains: "purposeOfAccount" },
  { name: "expectedMonthlyTransactionCount", ...choice(...monthlyCounts) },
  { name: "expectedMonthlyTransactionVolume", ...choice(...monthlyVolumes) },
  {
    name: "annualIncomeRange",
    ...choice("UNDER_50K", "RANGE_50K_100K", "RANGE_100K_250K", "RANGE_250K_1M", "OVER_1M"),
  },
  {
    name: "netWorthRange",
    ...choice(
      "UNDER_100K",
      "RANGE_100K_500K",
      "RANGE_500K_1M",
      "RANGE_1M_5M",
      "RANGE_5M_25M",
      "OVER_25M",
    ),
  },
  { name: "pepStatus", ...choice("NONE", "DOMESTIC", "FOREIGN", "HIO", "FAMILY_OR_ASSOCIATE") },
];

export const businessFields: readonly CustomerField[] = [
  { name: "legalName", ...NAME, isRequired: true },
  { name: "country", form: "country", isRequired: true },
  { name: "taxId", ...text(64), isRequired: true },
  { name: "incorporatedOn", form: "date", isRequired: true },
  { name: "registrationNumber", ...text(64) },
  { name: "doingBusinessAs", ...NAME },
  { name: "entityType", ...choice(...entityTypes) },
  { name: "businessType", ...choice(...businessTypes) },
  { name: "countriesOfOperation", form: "countries" },
  { name: "purposeOfAccount", ...choice(...purposes) },
  { name: "purposeOfAccountOtherDescription", ...EXPLANATION },
  { name: "sourceOfFunds", ...EXPLANATION },
  {
    name: "sourceOfFundsCategories",
    ...choices(
      "OPERATING_REVENUE",
      "INVESTMENT_INCOME",
      "LOANS",
      "VENTURE_CAPITAL",
      "PERSONAL_SAVINGS",
      "DONATIONS",
      OTHER,
    ),
  },
  { name: "sourceOfFundsOtherDescription", ...EXPLANATION },
  { name: "expectedMonthlyTransactionCount", ...choice(...monthlyCounts) },
  { name: "expectedMonthlyTransactionVolume", ...choice(...monthlyVolumes) },
  { name: "expectedRecipientJurisdictions", form: "countries" },
  { name: "expectedCounterpartyCountries", form: "countries" },
  { name: "naicsCode", form: "digits", pattern: "^\\d{2,6}$" },
  { name: "primaryContactFirstName", ...text(250) },
  { name: "primaryContactLastName", ...text(250) },
];
