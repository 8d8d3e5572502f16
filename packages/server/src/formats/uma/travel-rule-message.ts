/**
 * What is told to the payee's institution under the travel rule: IVMS101 in the version of 2023, as JSON. Facts that are not known are left out.
 */
import type { CustomerInfo } from "../../domain/customers/customer-info.ts";

export const TRAVEL_RULE_FORMAT = "ivms@101.2023";
const PAYLOAD_VERSION = "101.2023";
/** A legal name, and the number of an entry in a register. */
const LEGAL_NAME = "LEGL";
const REGISTRATION = "RAID";
const LONGEST_NAME = 100;
/** A line of an address has 70 characters at most. */
const LINES = /.{1,70}/gsu;

export interface TravelRuleFacts {
  readonly payer: {
    readonly kind: "PERSON" | "BUSINESS";
    /** Under which the platform knows the payer. */
    readonly id: string;
    readonly information: CustomerInfo;
    readonly umaAddress: string;
  };
  readonly payeeAddress: string;
  /** Names of the institutions. */
  readonly payerInstitution: string;
  readonly payeeInstitution: string;
}

export function writeTravelRule(facts: TravelRuleFacts): string {
  const { payer, payeeAddress, payerInstitution, payeeInstitution } = facts;
  const person =
    payer.kind === "PERSON"
      ? { naturalPerson: naturalPerson(payer) }
      : { legalPerson: legalPerson(payer) };
  return JSON.stringify({
    originator: { originatorPerson: [person], accountNumber: [payer.umaAddress] },
    beneficiary: { accountNumber: [payeeAddress] },
    originatingVASP: { originatingVASP: { legalPerson: { name: legalName(payerInstitution) } } },
    beneficiaryVASP: { beneficiaryVASP: { legalPerson: { name: legalName(payeeInstitution) } } },
    payloadMetadata: { payloadVersion: PAYLOAD_VERSION },
  });
}

function naturalPerson({ id, information }: TravelRuleFacts["payer"]) {
  const { FULL_NAME: name = "", BIRTH_DATE: dateOfBirth } = information;
  return {
    name: {
      nameIdentifier: [
        { primaryIdentifier: name.slice(0, LONGEST_NAME), nameIdentifierType: LEGAL_NAME },
      ],
    },
    geographicAddress: addressOf(information, "HOME"),
    customerIdentification: id,
    dateAndPlaceOfBirth: dateOfBirth === undefined ? undefined : { dateOfBirth },
    countryOfResidence: information.COUNTRY_OF_RESIDENCE,
  };
}

function legalPerson({ id, information }: TravelRuleFacts["payer"]) {
  const { COMPANY_LEGAL_NAME, FULL_NAME = "", REGISTRATION_NUMBER: number } = information;
  return {
    name: legalName(COMPANY_LEGAL_NAME ?? FULL_NAME),
    geographicAddress: addressOf(information, "BIZZ"),
    customerIdentification: id,
    nationalIdentification:
      number === undefined
        ? undefined
        : { nationalIdentifier: number, nationalIdentifierType: REGISTRATION },
    countryOfRegistration: information.COUNTRY_OF_RESIDENCE,
  };
}

function legalName(name: string) {
  return {
    nameIdentifier: [
      {
        legalPersonName: name.slice(0, LONGEST_NAME),
        legalPersonNameIdentifierType: LEGAL_NAME,
      },
    ],
  };
}

function addressOf(
  { POSTAL_ADDRESS: address, COUNTRY_OF_RESIDENCE: country }: CustomerInfo,
  addressType: "HOME" | "BIZZ",
) {
  if (address === undefined) return undefined;
  const addressLine = (address.match(LINES) ?? []).map((line) => line.trim());
  return [{ addressType, addressLine, country }];
}
