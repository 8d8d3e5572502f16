import type { JsonObject } from "../../../std/json.ts";
import type { AccountType } from "./account-types.ts";

const ADDRESS = {
  line1: "12 Harbour Street",
  city: "Springfield",
  state: "IL",
  postalCode: "62704",
  country: "US",
};

const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Maya Lindqvist" };

const FULL_PERSON = {
  ...PERSON,
  birthDate: "1990-04-17",
  nationality: "US",
  address: ADDRESS,
  email: "maya.lindqvist@example.com",
  phoneNumber: "+13125550142",
};

const COMPANY = {
  beneficiaryType: "BUSINESS",
  legalName: "Northwind Tools Ltd",
  registrationNumber: "4400219",
  taxId: "91-4400219",
  countryOfResidence: "CN",
  address: { line1: "88 Century Avenue", city: "Shanghai", postalCode: "200120", country: "CN" },
};

const OWNER = { ...PERSON, countryOfResidence: "SE" };

const EVM_ADDRESS = "0x4f3a120e72c76c22ae802d129f599bfdbc31cb81";

/** A valid `accountInfo` for each type, in its most usual form. The people and numbers are samples. */
export const accountExamples: Readonly<Record<AccountType, JsonObject>> = {
  AED_ACCOUNT: {
    accountType: "AED_ACCOUNT",
    iban: "AE070331234567890123456",
    swiftCode: "EBILAEAD",
    beneficiary: { ...PERSON, address: { ...ADDRESS, city: "Dubai", country: "AE" } },
  },
  BASE_WALLET: { accountType: "BASE_WALLET", address: EVM_ADDRESS, beneficiary: OWNER },
  BDT_ACCOUNT: {
    accountType: "BDT_ACCOUNT",
    accountNumber: "1501203456789",
    bankName: "BRAC Bank",
    branchCode: "60435",
    swiftCode: "BRAKBDDH",
    beneficiary: PERSON,
  },
  BRL_ACCOUNT: {
    accountType: "BRL_ACCOUNT",
    pixKey: "12345678909",
    pixKeyType: "CPF",
    taxId: "12345678909",
    beneficiary: PERSON,
  },
  BWP_ACCOUNT: {
    accountType: "BWP_ACCOUNT",
    phoneNumber: "+26771234567",
    provider: "Orange",
    beneficiary: PERSON,
  },
  CAD_ACCOUNT: {
    accountType: "CAD_ACCOUNT",
    bankCode: "001",
    branchCode: "00012",
    accountNumber: "1234567",
    beneficiary: PERSON,
  },
  CNY_ACCOUNT: {
    accountType: "CNY_ACCOUNT",
    accountNumber: "6222021234567890123",
    bankName: "Bank of China",
    beneficiary: COMPANY,
  },
  COP_ACCOUNT: {
    accountType: "COP_ACCOUNT",
    accountNumber: "40312345678",
    bankAccountType: "SAVINGS",
    bankName: "Bancolombia",
    beneficiary: { ...PERSON, documentType: "CC", documentNumber: "1020304050" },
  },
  DKK_ACCOUNT: {
    accountType: "DKK_ACCOUNT",
    iban: "DK5000400440116243",
    swiftCode: "NDEADKKK",
    beneficiary: PERSON,
  },
  EGP_ACCOUNT: {
    accountType: "EGP_ACCOUNT",
    iban: "EG380019000500000000263180011",
    bankName: "Banque Misr",
    beneficiary: PERSON,
  },
  ETHEREUM_WALLET: {
    accountType: "ETHEREUM_WALLET",
    address: EVM_ADDRESS,
    vaspName: "Example Exchange",
    beneficiary: OWNER,
  },
  EUR_ACCOUNT: {
    accountType: "EUR_ACCOUNT",
    iban: "DE89370400440532013000",
    swiftCode: "COBADEFFXXX",
    beneficiary: { ...PERSON, countryOfResidence: "DE" },
  },
  GBP_ACCOUNT: {
    accountType: "GBP_ACCOUNT",
    sortCode: "200415",
    accountNumber: "55779911",
    beneficiary: PERSON,
  },
  GHS_ACCOUNT: {
    accountType: "GHS_ACCOUNT",
    accountNumber: "1441001234567",
    bankName: "GCB Bank",
    beneficiary: PERSON,
  },
  GTQ_ACCOUNT: {
    accountType: "GTQ_ACCOUNT",
    accountNumber: "3012345678",
    bankAccountType: "CHECKING",
    bankName: "Banco Industrial",
    beneficiary: { ...PERSON, phoneNumber: "+50255501234", countryOfResidence: "GT" },
  },
  HKD_ACCOUNT: {
    accountType: "HKD_ACCOUNT",
    bankName: "Hang Seng Bank",
    accountNumber: "239123456882",
    swiftCode: "HASEHKHH",
    beneficiary: PERSON,
  },
  HTG_ACCOUNT: { accountType: "HTG_ACCOUNT", phoneNumber: "+50937123456", beneficiary: PERSON },
  IDR_ACCOUNT: {
    accountType: "IDR_ACCOUNT",
    bankName: "Bank Mandiri",
    accountNumber: "1370012345678",
    swiftCode: "BMRIIDJA",
    phoneNumber: "+6281234567890",
    beneficiary: PERSON,
  },
  INR_ACCOUNT: { accountType: "INR_ACCOUNT", vpa: "maya.l@okbank", beneficiary: PERSON },
  JMD_ACCOUNT: {
    accountType: "JMD_ACCOUNT",
    accountNumber: "404123456",
    branchCode: "50765",
    bankAccountType: "SAVINGS",
    bankName: "National Commercial Bank",
    beneficiary: {
      ...PERSON,
      address: { ...ADDRESS, city: "Kingston", country: "JM" },
      phoneNumber: "+18765550123",
    },
  },
  KES_ACCOUNT: {
    accountType: "KES_ACCOUNT",
    phoneNumber: "+254712345678",
    provider: "M-PESA",
    beneficiary: PERSON,
  },
  LIGHTNING: { accountType: "LIGHTNING", lightningAddress: "maya@wallet.example.com" },
  MWK_ACCOUNT: {
    accountType: "MWK_ACCOUNT",
    phoneNumber: "+265991234567",
    provider: "AIRTEL",
    beneficiary: PERSON,
  },
  MXN_ACCOUNT: {
    accountType: "MXN_ACCOUNT",
    clabeNumber: "032180000118359719",
    beneficiary: PERSON,
  },
  MYR_ACCOUNT: {
    accountType: "MYR_ACCOUNT",
    bankName: "Maybank",
    accountNumber: "514012345678",
    swiftCode: "MBBEMYKL",
    beneficiary: PERSON,
  },
  NGN_ACCOUNT: {
    accountType: "NGN_ACCOUNT",
    accountNumber: "0123456789",
    bankName: "Zenith Bank",
    beneficiary: PERSON,
  },
  PHP_ACCOUNT: {
    accountType: "PHP_ACCOUNT",
    bankName: "BDO Unibank",
    accountNumber: "001234567890",
    beneficiary: PERSON,
  },
  PKR_ACCOUNT: {
    accountType: "PKR_ACCOUNT",
    bankName: "Meezan Bank",
    accountNumber: "01020304050607",
    iban: "PK36SCBL0000001123456702",
    beneficiary: PERSON,
  },
  PLASMA_WALLET: { accountType: "PLASMA_WALLET", address: EVM_ADDRESS, beneficiary: OWNER },
  POLYGON_WALLET: { accountType: "POLYGON_WALLET", address: EVM_ADDRESS, beneficiary: OWNER },
  RWF_ACCOUNT: {
    accountType: "RWF_ACCOUNT",
    phoneNumber: "+250788123456",
    provider: "MTN",
    beneficiary: PERSON,
  },
  SGD_ACCOUNT: {
    accountType: "SGD_ACCOUNT",
    bankName: "DBS Bank",
    accountNumber: "0721234567",
    swiftCode: "DBSSSGSG",
    beneficiary: PERSON,
  },
  SLV_ACCOUNT: {
    accountType: "SLV_ACCOUNT",
    bankName: "Banco Agricola",
    accountNumber: "503123456789",
    bankAccountType: "CHECKING",
    beneficiary: PERSON,
  },
  SOLANA_WALLET: {
    accountType: "SOLANA_WALLET",
    address: "7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj",
    beneficiary: OWNER,
  },
  SPARK_WALLET: {
    accountType: "SPARK_WALLET",
    address: "spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu",
    beneficiary: OWNER,
  },
  SWIFT_ACCOUNT: {
    accountType: "SWIFT_ACCOUNT",
    country: "CH",
    swiftCode: "UBSWCHZH80A",
    bankName: "UBS",
    iban: "CH9300762011623852957",
    beneficiary: PERSON,
  },
  THB_ACCOUNT: {
    accountType: "THB_ACCOUNT",
    bankName: "Kasikornbank",
    accountNumber: "0123456789",
    swiftCode: "KASITHBK",
    beneficiary: PERSON,
  },
  TRON_WALLET: {
    accountType: "TRON_WALLET",
    address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
    beneficiary: OWNER,
  },
  TZS_ACCOUNT: {
    accountType: "TZS_ACCOUNT",
    phoneNumber: "+255712345678",
    provider: "VODACOM",
    beneficiary: PERSON,
  },
  UGX_ACCOUNT: {
    accountType: "UGX_ACCOUNT",
    phoneNumber: "+256772123456",
    provider: "MTN",
    beneficiary: PERSON,
  },
  USD_ACCOUNT: {
    accountType: "USD_ACCOUNT",
    accountNumber: "9876543210",
    routingNumber: "021000021",
    bankName: "First Example Bank",
    bankAccountType: "CHECKING",
    platformAccountId: "payee-0142",
    beneficiary: FULL_PERSON,
  },
  VND_ACCOUNT: {
    accountType: "VND_ACCOUNT",
    bankName: "Vietcombank",
    accountNumber: "0071001234567",
    swiftCode: "BFTVVNVX",
    beneficiary: PERSON,
  },
  XAF_ACCOUNT: {
    accountType: "XAF_ACCOUNT",
    phoneNumber: "+237671234567",
    provider: "MTN",
    region: "CM",
    beneficiary: PERSON,
  },
  XOF_ACCOUNT: {
    accountType: "XOF_ACCOUNT",
    phoneNumber: "+221771234567",
    provider: "ORANGE",
    region: "SN",
    beneficiary: PERSON,
  },
  ZAR_ACCOUNT: {
    accountType: "ZAR_ACCOUNT",
    accountNumber: "62001234567",
    bankName: "First National Bank",
    beneficiary: PERSON,
  },
  ZMW_ACCOUNT: {
    accountType: "ZMW_ACCOUNT",
    phoneNumber: "+260971234567",
    provider: "ZAMTEL",
    beneficiary: PERSON,
  },
};
