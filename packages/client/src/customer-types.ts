import type { Address, CalendarDate, Open, PageQuery, TimeQuery, Timestamp } from "./types.ts";

export type CustomerType = Open<"INDIVIDUAL" | "BUSINESS">;

export type VerificationState = Open<"UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED">;

export type IdType = Open<"SSN" | "ITIN">;

export type OwnerIdType = Open<"SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID">;

export type EntityType = Open<
  | "SOLE_PROPRIETORSHIP"
  | "PARTNERSHIP"
  | "LLC"
  | "CORPORATION"
  | "S_CORPORATION"
  | "NON_PROFIT"
  | "PUBLICLY_LISTED_COMPANY"
  | "TRUST"
  | "PRIVATE_FOUNDATION"
  | "CHARITY"
  | "OTHER"
>;

export type BusinessType = Open<
  | "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING"
  | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION"
  | "UTILITIES"
  | "CONSTRUCTION"
  | "MANUFACTURING"
  | "WHOLESALE_TRADE"
  | "RETAIL_TRADE"
  | "TRANSPORTATION_AND_WAREHOUSING"
  | "INFORMATION"
  | "FINANCE_AND_INSURANCE"
  | "REAL_ESTATE_AND_RENTAL_AND_LEASING"
  | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES"
  | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES"
  | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES"
  | "EDUCATIONAL_SERVICES"
  | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE"
  | "ARTS_ENTERTAINMENT_AND_RECREATION"
  | "ACCOMMODATION_AND_FOOD_SERVICES"
  | "OTHER_SERVICES"
  | "PUBLIC_ADMINISTRATION"
>;

export type PurposeOfAccount = Open<
  | "CONTRACTOR_PAYOUTS"
  | "CREATOR_PAYOUTS"
  | "EMPLOYEE_PAYOUTS"
  | "MARKETPLACE_SELLER_PAYOUTS"
  | "SUPPLIER_PAYMENTS"
  | "CROSS_BORDER_B2B"
  | "AR_AUTOMATION"
  | "AP_AUTOMATION"
  | "EMBEDDED_PAYMENTS"
  | "PLATFORM_FEE_COLLECTION"
  | "P2P_TRANSFERS"
  | "CHARITABLE_DONATIONS"
  | "OTHER"
>;

export type PersonalSourceOfFunds = Open<
  | "SALARY"
  | "SELF_EMPLOYMENT_INCOME"
  | "INVESTMENT_INCOME"
  | "PENSION"
  | "RENTAL_INCOME"
  | "GIFT"
  | "INHERITANCE"
  | "LOAN"
  | "SAVINGS"
  | "SALE_OF_ASSETS"
  | "OTHER"
>;

export type SourceOfWealth = Open<
  | "SALARY"
  | "BUSINESS_INCOME"
  | "INVESTMENTS"
  | "INHERITANCE"
  | "PROPERTY_SALE"
  | "GIFT"
  | "RETIREMENT"
  | "SAVINGS"
  | "OTHER"
>;

export type SourceOfFunds = Open<
  | "OPERATING_REVENUE"
  | "INVESTMENT_INCOME"
  | "LOANS"
  | "VENTURE_CAPITAL"
  | "PERSONAL_SAVINGS"
  | "DONATIONS"
  | "OTHER"
>;

export type MonthlyTransactionCount = Open<
  | "COUNT_UNDER_10"
  | "COUNT_10_TO_100"
  | "COUNT_100_TO_500"
  | "COUNT_500_TO_1000"
  | "COUNT_OVER_1000"
>;

/** In US dollars or their worth. */
export type MonthlyTransactionVolume = Open<
  | "VOLUME_UNDER_10K"
  | "VOLUME_10K_TO_100K"
  | "VOLUME_100K_TO_1M"
  | "VOLUME_1M_TO_10M"
  | "VOLUME_OVER_10M"
>;

export interface BusinessInfo {
  readonly legalName: string;
  readonly country?: string;
  readonly taxId?: string;
  readonly incorporatedOn?: CalendarDate;
  readonly registrationNumber?: string;
  readonly doingBusinessAs?: string;
  readonly entityType?: EntityType;
  readonly businessType?: BusinessType;
  readonly countriesOfOperation?: readonly string[];
  readonly purposeOfAccount?: PurposeOfAccount;
  readonly purposeOfAccountOtherDescription?: string;
  readonly sourceOfFunds?: string;
  readonly sourceOfFundsCategories?: readonly SourceOfFunds[];
  readonly sourceOfFundsOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: MonthlyTransactionCount;
  readonly expectedMonthlyTransactionVolume?: MonthlyTransactionVolume;
  readonly expectedRecipientJurisdictions?: readonly string[];
  readonly expectedCounterpartyCountries?: readonly string[];
  readonly naicsCode?: string;
  readonly primaryContactFirstName?: string;
  readonly primaryContactLastName?: string;
}

export interface NewBusinessInfo extends BusinessInfo {
  readonly country: string;
  readonly taxId: string;
  readonly incorporatedOn: CalendarDate;
}

/** What a customer of either type can be given, at creation and later. */
export interface CustomerContact {
  /** `$name@domain`; made up when absent. */
  readonly umaAddress?: string;
  readonly currencies?: readonly string[];
  readonly email?: string;
  /** E.164. */
  readonly phoneNumber?: string;
  readonly address?: Address;
}

/** What is told about a person. `identifier` is never given back. */
export interface IndividualDetails {
  readonly fullName?: string;
  readonly birthDate?: CalendarDate;
  readonly nationality?: string;
  readonly idType?: IdType;
  readonly identifier?: string;
  readonly countryOfIssuance?: Open<"US">;
  readonly sourceOfFundsCategories?: readonly PersonalSourceOfFunds[];
  /** Required when OTHER is among the categories. */
  readonly sourceOfFundsOtherDescription?: string;
  readonly sourceOfWealthCategories?: readonly SourceOfWealth[];
  readonly sourceOfWealthOtherDescription?: string;
  readonly purposeOfAccount?: PurposeOfAccount;
  readonly purposeOfAccountOtherDescription?: string;
  readonly expectedMonthlyTransactionCount?: MonthlyTransactionCount;
  readonly expectedMonthlyTransactionVolume?: MonthlyTransactionVolume;
  readonly annualIncomeRange?: Open<
    "UNDER_50K" | "RANGE_50K_100K" | "RANGE_100K_250K" | "RANGE_250K_1M" | "OVER_1M"
  >;
  readonly netWorthRange?: Open<
    "UNDER_100K" | "RANGE_100K_500K" | "RANGE_500K_1M" | "RANGE_1M_5M" | "RANGE_5M_25M" | "OVER_25M"
  >;
  readonly pepStatus?: Open<"NONE" | "DOMESTIC" | "FOREIGN" | "HIO" | "FAMILY_OR_ASSOCIATE">;
}

/** Fixed at creation. */
export interface CustomerOrigin {
  /** Your own id of the customer; made up when absent. */
  readonly platformCustomerId?: string;
  /** ISO 3166-1 alpha-2. */
  readonly region?: string;
}

export interface NewIndividual extends CustomerContact, CustomerOrigin, IndividualDetails {
  readonly customerType: "INDIVIDUAL";
}

export interface NewBusiness extends CustomerContact, CustomerOrigin {
  readonly customerType: "BUSINESS";
  readonly businessInfo: NewBusinessInfo;
}

export type NewCustomer = NewIndividual | NewBusiness;

export interface IndividualChanges extends CustomerContact, IndividualDetails {
  readonly customerType: "INDIVIDUAL";
}

export interface BusinessChanges extends CustomerContact {
  readonly customerType: "BUSINESS";
  readonly businessInfo?: Partial<BusinessInfo>;
}

/**
 * What is absent stays as it is; arrays are replaced as a whole. `customerType` names the type, it
 * cannot change it.
 */
export type CustomerChanges = IndividualChanges | BusinessChanges;

export interface Customer extends CustomerContact, Omit<IndividualDetails, "identifier"> {
  readonly id: string;
  readonly platformCustomerId: string;
  readonly customerType: CustomerType;
  readonly umaAddress: string;
  readonly currencies: readonly string[];
  readonly region?: string;
  readonly isDeleted: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Individuals only. */
  readonly kycStatus?: VerificationState;
  /** Businesses only. */
  readonly kybStatus?: VerificationState;
  readonly businessInfo?: BusinessInfo;
  readonly beneficialOwners?: readonly BeneficialOwner[];
}

export interface BeneficialOwner {
  readonly id: string;
  readonly customerId: string;
  readonly roles: readonly OwnerRole[];
  readonly ownershipPercentage: number;
  readonly personalInfo: OwnerPersonalInfo;
  readonly kycStatus: VerificationState;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface NewBeneficialOwner {
  readonly customerId: string;
  readonly roles: readonly OwnerRole[];
  /** 0 to 100. */
  readonly ownershipPercentage: number;
  readonly personalInfo: OwnerPersonalInfo;
}

/** What is absent stays as it is; an address is sent whole. */
export interface BeneficialOwnerChanges {
  readonly roles?: readonly OwnerRole[];
  readonly ownershipPercentage?: number;
  readonly personalInfo?: Partial<OwnerPersonalInfo>;
}

export interface BeneficialOwnerQuery extends PageQuery {
  readonly customerId: string;
}

export type VerificationStatus = Open<
  | "RESOLVE_ERRORS"
  | "IN_PROGRESS"
  | "PENDING_MANUAL_REVIEW"
  | "APPROVED"
  | "REJECTED"
  | "READY_FOR_VERIFICATION"
>;

export type VerificationIssueType = Open<
  | "MISSING_FIELD"
  | "INVALID_FIELD"
  | "MISSING_LEGAL_PRESENCE_DOCUMENT"
  | "MISSING_CONTROL_STRUCTURE_DOCUMENT"
  | "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT"
  | "MISSING_PROOF_OF_ADDRESS_DOCUMENT"
  | "MISSING_IDENTITY_DOCUMENT"
  | "MISSING_GOOD_STANDING_DOCUMENT"
  | "INVALID_DOCUMENT"
  | "EXPIRED_DOCUMENT"
  | "POOR_QUALITY_DOCUMENT"
  | "SUSPECTED_FRAUD_DOCUMENT"
  | "WRONG_DOCUMENT_TYPE"
  | "INCOMPLETE_DOCUMENT"
  | "UNREADABLE_DOCUMENT"
  | "DOCUMENT_VERIFICATION_FAILED"
  | "APPLICANT_SANCTIONED"
  | "APPLICANT_FRAUD"
  | "APPLICANT_CRIMINAL_RECORD"
  | "APPLICANT_REJECTED"
  | "MISSING_BENEFICIAL_OWNER"
  | "MISSING_CONTROL_PERSON"
>;

export interface VerificationIssue {
  /** The customer, owner or document that it is about. */
  readonly resourceId: string;
  readonly type: VerificationIssueType;
  readonly reason: string;
  /** Dot path to the field. */
  readonly field?: string;
  readonly acceptedDocumentTypes?: readonly string[];
}

export interface Verification {
  readonly id: string;
  readonly customerId: string;
  readonly verificationStatus: VerificationStatus;
  /** What to mend before the next submission. */
  readonly errors: readonly VerificationIssue[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface VerificationQuery extends PageQuery {
  readonly customerId?: string;
  readonly verificationStatus?: VerificationStatus;
}

export type OwnerRole = Open<
  "UBO" | "DIRECTOR" | "COMPANY_OFFICER" | "CONTROL_PERSON" | "TRUSTEE" | "GENERAL_PARTNER"
>;

export interface OwnerPersonalInfo {
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly birthDate: CalendarDate;
  readonly nationality: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly address: Address;
  readonly idType: OwnerIdType;
  readonly identifier: string;
  readonly countryOfIssuance?: string;
}

export interface CustomerQuery extends PageQuery, TimeQuery {
  readonly platformCustomerId?: string;
  readonly customerType?: CustomerType;
  readonly region?: string;
  /** Customers that have this currency enabled. */
  readonly currency?: string;
  readonly umaAddress?: string;
  readonly isIncludingDeleted?: boolean;
}

export interface KycLink {
  /** Send the customer there. Whoever has it can see and change what the customer has to bring. */
  readonly kycUrl: string;
  readonly expiresAt: Timestamp;
  readonly provider: Open<"SUMSUB">;
}
