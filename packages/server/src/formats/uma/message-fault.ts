/** Why a message of another institution is refused: a code of the protocol, and a sentence for its engineers. */
export class MessageFault extends Error {
  override readonly name = "MessageFault";
  readonly code: MessageFaultCode;

  constructor(code: MessageFaultCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

export type MessageFaultCode =
  | "PARSE_LNURLP_REQUEST_ERROR"
  | "PARSE_LNURLP_RESPONSE_ERROR"
  | "PARSE_PAYREQ_REQUEST_ERROR"
  | "PARSE_PAYREQ_RESPONSE_ERROR"
  | "PARSE_UTXO_CALLBACK_ERROR"
  | "INVALID_PUBKEY_FORMAT"
  | "CERT_CHAIN_INVALID"
  | "CERT_CHAIN_EXPIRED"
  | "MISSING_REQUIRED_UMA_PARAMETERS"
  | "NON_UMA_LNURL_NOT_SUPPORTED"
  | "NO_COMPATIBLE_UMA_VERSION"
  | "UNSUPPORTED_UMA_VERSION";
