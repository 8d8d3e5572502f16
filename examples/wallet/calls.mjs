/** What the page may ask for. Each call is about the wallet of the visitor, whatever the page says. */
import { randomBytes } from "node:crypto";

/** Something that the page is told. */
export class Wrong extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function createCalls(florin) {
  /** The visitor's wallet. */
  function walletOf(visitor) {
    if (visitor.accountId === undefined) throw new Wrong(409, "Open a wallet first.");
    return visitor.accountId;
  }

  /** A credential of the visitor's wallet, and of no other. */
  async function ownCredential(visitor, id) {
    const { data } = await florin.credentials.list({ accountId: walletOf(visitor) });
    const own = data.find((credential) => credential.id === id);
    if (own === undefined) throw new Wrong(404, "Your wallet has no such credential.");
    return own;
  }

  return {
    /** A customer with a wallet. */
    async "/open"(visitor, { body }) {
      const email = String(body.email);
      const customer = await florin.customers.create({
        customerType: "INDIVIDUAL",
        fullName: "Ana Ruiz",
        email,
        currencies: ["USDB"],
      });
      const accounts = await florin.internalAccounts.listForCustomers({
        customerId: customer.id,
        type: "EMBEDDED_WALLET",
      });
      visitor.accountId = accounts.data[0].id;
      visitor.email = email;
      const { id: platformId } = await florin.config.get();
      return { platformId, accountId: visitor.accountId };
    },

    /** Credentials and sessions. */
    async "/state"(visitor) {
      const accountId = walletOf(visitor);
      const [credentials, sessions] = await Promise.all([
        florin.credentials.list({ accountId }),
        florin.sessions.list({ accountId }),
      ]);
      return { credentials: credentials.data, sessions: sessions.data };
    },

    /** What a new passkey is made for; it is remembered here, so that it is used once. */
    async "/passkey-challenge"(visitor) {
      visitor.challenge = randomBytes(32).toString("base64url");
      return { challenge: visitor.challenge };
    },

    /** The same body twice when a session has to sign for it. */
    async "/add"(visitor, { body, signature }) {
      const accountId = walletOf(visitor);
      const credential = newCredential(visitor, body);
      const made = await florin.credentials.create({ ...credential, accountId }, { signature });
      if (body.type === "PASSKEY" && made.payloadToSign === undefined) delete visitor.challenge;
      return made;
    },

    async "/challenge"(visitor, { body }) {
      const { id } = await ownCredential(visitor, body.id);
      return florin.credentials.challenge(id, { clientPublicKey: body.clientPublicKey });
    },

    async "/verify"(visitor, { body }) {
      const { id } = await ownCredential(visitor, body.id);
      return florin.credentials.verify(id, body.proof, { requestId: body.requestId });
    },

    async "/export"(visitor, { body, signature }) {
      const { clientPublicKey } = body;
      return florin.wallets.export(walletOf(visitor), { clientPublicKey }, { signature });
    },
  };
}

function newCredential(visitor, { type, oidcToken, nickname, attestation }) {
  switch (type) {
    case "EMAIL_OTP":
      return { type, email: visitor.email };
    case "OAUTH":
      return { type, oidcToken };
    case "PASSKEY":
      if (visitor.challenge === undefined) throw new Wrong(409, "Ask for a challenge first.");
      return { type, nickname, challenge: visitor.challenge, attestation };
    default:
      throw new Wrong(400, "There is no such credential.");
  }
}
