/** What people call an operation beside its title. */
export const keywords: Readonly<Record<string, string>> = {
  createCustomer: "onboard user individual business",
  createCustomerExternalAccount: "bank account iban beneficiary payee",
  createInvitation: "invite somebody friend",
  createTransfer: "move money between accounts internal",
  createVerification: "kyc kyb verify customer",
  executeQuote: "pay confirm quote",
  createQuote: "price cross currency payment",
  fundInternalAccount: "test money deposit",
  getInternalAccount: "account balance",
  listCustomerInternalAccounts: "account balance",
  listExchangeRates: "fx fee price",
  transferIn: "pull money from bank account deposit direct debit",
  transferOut: "send money to bank account payout withdraw pay out",
  updateConfig: "settings set webhook endpoint currencies",
};
