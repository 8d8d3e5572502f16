/** The cause of each refusal and its remedy. The sentence and the status of a code are in docs/reference/errors.md. */

export interface ErrorCause {
  readonly cause: string;
  readonly cure: string;
}

export const errorCauses: Readonly<Record<string, ErrorCause>> = {
  INVALID_INPUT: {
    cause:
      "A field of the body, a parameter of the query or of the path, or the idempotency key does not fit its schema. `details.errors` " +
      "lists every one of them with the rule that it breaks; `details.field` and `details.reason` repeat the first.",
    cure: "Correct the fields that `details.errors` names and send the request again.",
  },
  INVALID_REQUEST_FORMAT: {
    cause:
      "The body is no JSON, the form is broken, a header is repeated, or the path is not percent-encoded. For JSON the message names " +
      "the line and the column.",
    cure: "Send well-formed JSON in UTF-8 with `Content-Type: application/json`, and each header once.",
  },
  INVALID_AMOUNT: {
    cause: "The amount is no whole number, is not positive, or is too large.",
    cure: "Send the amount in the smallest unit of its currency: `2500` is 25.00 USD.",
  },
  AMOUNT_OUT_OF_RANGE: {
    cause:
      "The amount is outside of the limits that the platform has set for the currency. `details` has `minAmount` and `maxAmount`.",
    cure: "Change the amount, or the limits of the currency with `PATCH /config`.",
  },
  INVALID_CURRENCY: {
    cause:
      "The currency is unknown, the platform has not enabled it, or the two accounts of a transfer hold different ones.",
    cure: "Use a currency that `GET /config` lists. Between two currencies create a quote.",
  },
  INVALID_TIMESTAMP: {
    cause: "A time has no date, no time of day or no zone.",
    cure: "Send ISO 8601 with a zone, such as `2026-11-21T10:00:00Z`.",
  },
  INVALID_UMA_ADDRESS: {
    cause: "The address is not of the form `$name@domain`.",
    cure: "Correct the address. In a path, encode `$` as `%24`.",
  },
  INVALID_BANK_ACCOUNT: {
    cause:
      "The details do not fit the account type, the bank is not in the directory, or, in production, check digits do not fit.",
    cure: "Correct what `details.errors` names. The banks and operators of a country are listed by `GET /discoveries`.",
  },
  INVITATION_ALREADY_CLAIMED: {
    cause: "Somebody has claimed this invitation before.",
    cure: "Read the invitation to see who claimed it; create another one to invite another person.",
  },
  INVITATION_CANCELLED: {
    cause: "The invitation was cancelled.",
    cure: "Create a new invitation.",
  },
  INVITATION_EXPIRED: {
    cause: "The invitation was not claimed before its `expiresAt`.",
    cure: "Create a new invitation.",
  },
  INVITATIONS_NOT_CONFIGURED: {
    cause: "The deployment has no public address for the pages that invited people open.",
    cure: "Set `PUBLIC_URL` on the server.",
  },
  VERIFICATION_LINKS_NOT_CONFIGURED: {
    cause: "The deployment has no public address for the pages of a verification.",
    cure: "Set `PUBLIC_URL` on the server.",
  },
  INSUFFICIENT_BALANCE: {
    cause:
      "The account's available balance is lower than the amount with its fees. `details` has `available` and `needed`.",
    cure: "Fund the account or lower the amount. Money on its way out is not available.",
  },
  MISSING_MANDATORY_USER_INFO: {
    cause:
      "A currency, or the institution of the receiver, needs data of the payer or of the payee that is not there. The message names it.",
    cure:
      "Add the data: of a customer with `PATCH /customers/{customerId}`, of a quote in `senderCustomerInfo`, of an approval in " +
      "`receiverCustomerInfo`.",
  },
  INVALID_RECEIVER: {
    cause: "The receiver lacks data that the payment needs. `details.missing` names it.",
    cure: "Create an external account whose beneficiary has the data, and pay that one.",
  },
  SELF_PAYMENT: {
    cause: "Source and destination are one account, or the UMA address is the payer's own.",
    cure: "Choose another destination.",
  },
  INVALID_NONCE: {
    cause: "Another institution has sent a signed message that was accepted before.",
    cure: "Look up the receiver again. If it stays so, an answer is kept by a cache of theirs: tell them.",
  },
  LOOKUP_REQUEST_FAILED: {
    cause:
      "The receiver's institution refused the lookup, or signed its answer with another key or for another address. `details.reason` says which; " +
      "`details.counterpartyCode` and `details.counterpartyReason` are its own words.",
    cure: "Check the address. If it is right, ask the institution with what `details` has.",
  },
  PARSE_LNURLP_RESPONSE_ERROR: {
    cause:
      "The receiver's institution answered, and its answer is not one of UMA or has a fault, which `details.reason` names. `NOT_UMA` says that it speaks plain LNURL.",
    cure: "Tell the institution. An address without UMA cannot be paid as one.",
  },
  MISSING_REQUIRED_UMA_PARAMETERS: {
    cause:
      "The answer of the receiver's institution lacks a part about compliance; `details.reason` names it.",
    cure: "Tell the institution.",
  },
  SENDER_NOT_ACCEPTED: {
    cause:
      "The receiver's institution does not deal with this platform, or not with this payer. `details` has its own words.",
    cure: "Ask the institution to allow your domain.",
  },
  INVALID_PUBKEY_FORMAT: {
    cause:
      "The other institution publishes keys that cannot be read, or keys of another curve; `details.reason` says what is wrong.",
    cure: "Tell the institution.",
  },
  CERT_CHAIN_INVALID: {
    cause:
      "A certificate that the other institution publishes is not signed by the next one, or is not of its key.",
    cure: "Tell the institution.",
  },
  CERT_CHAIN_EXPIRED: {
    cause: "A certificate that the other institution publishes is outside of its dates.",
    cure: "Tell the institution, and check the clock of the server.",
  },
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: {
    cause: "A wallet has at most one EMAIL_OTP credential.",
    cure: "Use the credential that `GET /auth/credentials` lists, or revoke it first.",
  },
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: {
    cause: "A wallet has at most one PASSKEY credential.",
    cure: "Use the credential that `GET /auth/credentials` lists, or revoke it first.",
  },
  LAST_CREDENTIAL: {
    cause: "Without this credential the wallet could not be opened again.",
    cure: "Create another credential first.",
  },
  WEBHOOK_ENDPOINT_NOT_SET: {
    cause: "The platform has no default endpoint to test.",
    cure: "Set `webhookEndpoint` with `PATCH /config`.",
  },
  WEBHOOK_DELIVERY_ERROR: {
    cause:
      "The TEST event did not arrive. The message says why: refused, timed out, certificate, name not found, or a private address.",
    cure: "Make the endpoint reachable over HTTPS and have it answer 2xx within 15 seconds.",
  },
  UNAUTHORIZED: {
    cause:
      "The `Authorization` header is missing, or the client id, the secret or the access token is not valid, for example because it was deleted.",
    cure: "Send the credentials as [Authentication](/docs/authentication) shows.",
  },
  FORBIDDEN: {
    cause:
      "The token lacks the permission of the operation, a production token calls a sandbox operation, or an agent's policy refuses " +
      "the order. For agents `details.rule` names the rule.",
    cure: "Use a token with the permission that the operation names, or change the agent's policy.",
  },
  USER_NOT_READY: {
    cause: "The customer's KYC or KYB is not approved. The message names its status.",
    cure: "Create a verification or a KYC link, and wait for `CUSTOMER.KYC_APPROVED` or `CUSTOMER.KYB_APPROVED`.",
  },
  UMA_NOT_FOUND: {
    cause: "No customer of a known provider has this address, or the provider is blocked.",
    cure: "Check the spelling. `GET /uma-providers` lists whose addresses can be paid.",
  },
  NOT_FOUND: {
    cause: "No operation and no page has this path.",
    cure: "Check the version segment, the spelling, and that the path does not end with a slash.",
  },
  REFERENCE_NOT_FOUND: {
    cause:
      "No object of this platform has the id, or the id is of another kind than the field takes. The message names the kind.",
    cure: "Check the id, and that the token is of the platform and of the environment that the object is in.",
  },
  USER_NOT_FOUND: {
    cause: "The platform has no customer with this id.",
    cure: "Check the id, and that the token is of the environment that the customer is in.",
  },
  TOKEN_NOT_FOUND: {
    cause: "The platform has no token with this id, or it was deleted.",
    cure: "List the tokens to find its id.",
  },
  INVITATION_NOT_FOUND: {
    cause: "The platform has no invitation with this code.",
    cure: "Check the code.",
  },
  TRANSACTION_NOT_FOUND: {
    cause: "The platform has no transaction with this id.",
    cure: "Check the id, and that the token is of the environment that the transaction is in.",
  },
  BULK_UPLOAD_JOB_NOT_FOUND: {
    cause: "The platform has no bulk upload job with this id.",
    cure: "Use the `jobId` of the answer to the upload.",
  },
  QUOTE_NOT_FOUND: {
    cause: "The platform, or the agent, has no quote with this id.",
    cure: "Use the `id` of the answer that created the quote.",
  },
  LEDGER_ACCOUNT_NOT_FOUND: {
    cause: "The ledger of the platform has no account with this id.",
    cure: "List the ledger accounts. The id of an internal account is no id of a ledger account.",
  },
  POSTING_NOT_FOUND: {
    cause: "The ledger of the platform has no posting with this id.",
    cure: "List the postings, or take the id from a ledger entry.",
  },
  STATEMENT_NOT_FOUND: {
    cause: "The platform has no statement with this id.",
    cure: "List the statements to find its id.",
  },
  EVENT_NOT_FOUND: {
    cause: "The platform has no event with this id.",
    cure: "Use the `id` of a delivery, or list the events.",
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: "The platform has no webhook endpoint with this id, or it was deleted.",
    cure: "List the endpoints with `GET /webhook-endpoints`.",
  },
  EXPORT_NOT_FOUND: {
    cause: "The platform has no export with this id.",
    cure: "Use the `id` of the answer that created the export, or list the exports.",
  },
  REQUEST_LOG_NOT_FOUND: {
    cause:
      "The call was not logged, was thinned out on a busy day, or is older than the log reaches.",
    cure: "List the request logs of the time in question.",
  },
  LOOKUP_REQUEST_NOT_FOUND: {
    cause: "The `lookupId` is unknown or too old, or it was made for another receiver.",
    cure: "Look up the receiver again and use the new id.",
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, but not with this method.",
    cure: "Use one of the methods of the `Allow` header.",
  },
  CONFLICT: {
    cause:
      "The object is in another state than the call needs. The message names both states, and `details.status` the present one.",
    cure: "Read the object and decide by its state. Somebody may have made the same call before.",
  },
  APPROVAL_NOT_FOUND: {
    cause: "The approval belongs to another platform or workspace, or never existed.",
    cure: "Read the ids with `GET /approvals`.",
  },
  COUNTERPARTY_NOT_ALLOWED: {
    cause:
      "The platform's policy refuses the other institution, or what it says of itself or of its customer; `details.reason` says which rule.",
    cure: "Change the policy with `PUT /uma/policy`, or what is set for the domain with `PUT /uma/counterparties/{domain}`.",
  },
  VELOCITY_LIMIT_EXCEEDED: {
    cause: "The receiver's institution says that the receiver has taken too much for now.",
    cure: "Try again later.",
  },
  APPROVAL_NOT_YOURS: {
    cause:
      "The person may not decide about this order: `details.rule` is `CAPABILITY`, `SUSPENDED`, `REQUESTER`, `SAME_HUMAN`, `GAINS` or `DECIDED_ALREADY`. " +
      "The person who made the token or the agent that asked counts as the one who asked, and so do, for 30 days, people who invited or re-enrolled the " +
      "other, changed their roles, or set the issuer that they sign in by.",
    cure: "Let another person decide in the console. `blockedBecause` says when the workspace has no such person.",
  },
  RATE_MOVED: {
    cause:
      "The execution of a quote waited for people, and the price has left the bound of the order. It is the `failure` of an approval.",
    cure: "Create a quote at the new price and ask again.",
  },
  ACCOUNT_FROZEN: {
    cause: "An account of the payment is frozen.",
    cure: "Unfreeze the account, or use another one.",
  },
  CUSTOMER_FROZEN: {
    cause: "A customer of the payment is frozen with all accounts.",
    cure: "Unfreeze the customer when the reason has gone.",
  },
  DUPLICATE_ENTRY: {
    cause: "The connection has an entry with this bank reference; `details.entryId` names it.",
    cure: "Nothing: the line is booked. A second line of the same amount has a bank reference of its own.",
  },
  RAIL_PAUSED: {
    cause:
      "Every route that would take the payment leads to a connection that is paused and refuses new payments.",
    cure: "Resume the connection with `POST /rails/connections/{id}/resume`, or add a route to another one.",
  },
  RATE_STALE: {
    cause:
      "A rate source has the pair, and its rate is older than the source's `maxAgeMinutes`; `details` names the pair, the source and the time.",
    cure: "Set or refresh the rates of the source, or add another source: `GET /rates/sources` says when each was read and what went wrong.",
  },
  FX_LIMIT: {
    cause:
      "The exchange would take the platform's position in a currency past the limit that it has set.",
    cure: "Wait until quotes under way have ended, or raise the limit with `PUT /fx/limits`.",
  },
  QUOTE_EXPIRED: {
    cause: "A quote holds its price for five minutes, and they have passed.",
    cure: "Create a new quote and execute that one.",
  },
  UMA_ADDRESS_EXISTS: {
    cause: "Another customer has the address, or another platform the domain.",
    cure: "Choose another address or domain.",
  },
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: {
    cause:
      "The payment was approved, rejected or decided by the deadline before, or the platform was never asked about it.",
    cure: "Read the transaction: its status says how it was decided.",
  },
  CUSTOMER_DELETED: {
    cause: "The customer was deleted. Its history stays readable.",
    cure: "Create a new customer.",
  },
  UNSUPPORTED_UMA_VERSION: {
    cause:
      "The other institution answered in another version of UMA than 1.0, or refused this version in an answer that cannot be read.",
    cure: "Tell the institution that version 1.0 is spoken here.",
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body has more bytes than the operation takes.",
    cure: "Send less: a smaller file, or several requests.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause:
      "The `Content-Type` is not that of the operation, or a file is of a type that is not accepted.",
    cure: "Send `application/json`, or `multipart/form-data` where a file goes along.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause:
      "The key was sent with another request before. `details` names a field that differs from the first request.",
    cure: "Send a new key with a new request. Send the same bytes to repeat the old one.",
  },
  LNURLP_REQUEST_FAILED: {
    cause:
      "The receiver's institution could not be reached, did not answer in ten seconds, or answered with too much, a redirect or an error of its server. `details.reason` says which.",
    cure: "Check the domain of the address, and look up the receiver again later.",
  },
  PAYREQ_REQUEST_FAILED: {
    cause:
      "The receiver's institution could not be reached for its invoice, did not answer in 25 seconds, or answered with too much, a redirect or an error of its server. `details.reason` says which.",
    cure: "Send the same request again, also under the same idempotency key.",
  },
  QUOTE_REQUEST_FAILED: {
    cause:
      "The receiver's institution refused the request to pay; `details.counterpartyCode` and `details.counterpartyReason` are its own words. Or its invoice ends in less than 45 seconds.",
    cure: "Correct what the institution names, look up the receiver again and make a new quote.",
  },
  PARSE_PAYREQ_RESPONSE_ERROR: {
    cause: "The institution's answer to the request to pay is not of the form of UMA 1.0.",
    cure: "Tell the institution; `details.reason` names the member.",
  },
  INVALID_PAYREQ_RESPONSE: {
    cause:
      "The institution's invoice or price is not the one that was asked for, or its signature is wrong. `details.reason` says which.",
    cure: "Look up the receiver again and make a new quote. If it happens again, tell the institution.",
  },
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: {
    cause:
      "The platform requires a field of receivers (`requiredCounterpartyFields`) that the institution does not know.",
    cure: "Make the field optional with `PATCH /config`, or pay another receiver.",
  },
  COUNTERPARTY_PUBKEY_FETCH_ERROR: {
    cause:
      "The other institution's `/.well-known/lnurlpubkey` could not be read; `details.reason` says why. A failure is remembered for a minute.",
    cure: "Check the domain of the address, and try again after a minute.",
  },
  NO_COMPATIBLE_UMA_VERSION: {
    cause: "The other institution does not speak the major version 1 of UMA.",
    cure: "Nothing here: payments in the versions before it are not made, because their amounts are ambiguous.",
  },
  RATE_LIMITED: {
    cause: "The token, or the address of a caller without credentials, has made too many requests.",
    cure: "Wait as many seconds as `Retry-After` says, then send the same request again.",
  },
  INTERNAL_ERROR: {
    cause: "A bug of the server. Nothing about the request has to be changed.",
    cure: "Send the same request again under the same idempotency key: it is carried out at most once. Quote `details.requestId` to the operator.",
  },
  NOT_IMPLEMENTED: {
    cause:
      "Nothing that the platform has attached carries this payment, or gives the rate; `details.missing` says what is missing.",
    cure: "Attach it with the call that the message names.",
  },
  SERVICE_UNAVAILABLE: {
    cause: "The server is busy, restarting, or has lost its database for a moment.",
    cure: "Wait as many seconds as `Retry-After` says, then send the same request again under the same idempotency key.",
  },
};
