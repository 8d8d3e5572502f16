/** The owner's side: keys are made here and stay here, and whatever is signed is read first. */
import {
  assertPasskeyChallenge,
  createClientKey,
  openUnsignedExport,
  sandboxSession,
  signAndRetry,
} from "/wallet/index.js";
import { createPasskey, usePasskey } from "./passkey.js";
import { asSandboxTakesIt, newIdToken, signInToken } from "./simulated.js";

const element = (id) => document.getElementById(id);
const show = (id, text) => {
  element(id).textContent = text;
};

/** Of your own platform you know it beforehand: build it into your page. */
let platformId;
let accountId;
let email;
let credentials = [];
/** What signs: nothing, or the session of the last login. */
let session;

/** The uuid of the wallet: what is signed names it. */
const organizationId = () => accountId.split(":")[1];

async function post(path, body = {}, headers = {}) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.json()).message);
  return response;
}

const call = async (path, body) => (await post(path, body)).json();

/** Whatever session is open signs. */
const owner = {
  async stamp(payloadToSign) {
    if (session === undefined) throw new Error("Sign in first: a session has to sign for that.");
    return session.stamp(payloadToSign);
  },
};

/** Sent twice when the owner has to sign: the module refuses to sign for anything but exactly what is expected. */
async function signedCall(path, body, expected) {
  const send = (headers) => {
    if (headers["Request-Id"] !== undefined) show("signed", expected.operation);
    return post(path, body, headers);
  };
  return (await signAndRetry(send, owner, expected)).json();
}

async function refresh() {
  const state = await call("/state");
  credentials = state.credentials;
  const lines = credentials.map(({ type, nickname }) => {
    const line = document.createElement("li");
    line.textContent = `${type}: ${nickname}`;
    return line;
  });
  element("credentials").replaceChildren(...lines);
}

function begin() {
  session = undefined;
  for (const id of ["session", "session-type", "session-end", "signed"]) show(id, "none");
  element("words").replaceChildren();
}

async function open(form) {
  begin();
  email = new FormData(form).get("email");
  ({ platformId, accountId } = await call("/open", { email }));
  show("wallet", accountId);
  await refresh();
  return "The wallet is open. Add a way in.";
}

/** What a new credential of each type brings. */
const proofsOfNew = {
  EMAIL_OTP: async () => ({ email }),
  OAUTH: async () => ({ oidcToken: newIdToken(email) }),
  PASSKEY: async () => {
    const { challenge } = await call("/passkey-challenge");
    const attestation = await createPasskey(challenge, email);
    return { nickname: "This device", challenge, attestation };
  },
};

async function add(type) {
  const credential = { type, accountId, ...(await proofsOfNew[type]()) };
  const expected = {
    operation: "ADD_CREDENTIAL",
    organizationId: organizationId(),
    credential,
  };
  const added = await signedCall("/add", credential, expected);
  await refresh();
  return `Added: ${added.type}, ${added.nickname}.`;
}

/** What is sent to prove each type. */
const proofs = {
  EMAIL_OTP: async (_id, clientPublicKey) => ({
    proof: { type: "EMAIL_OTP", otp: element("code").value, clientPublicKey },
  }),
  OAUTH: async (_id, clientPublicKey) => ({
    proof: { type: "OAUTH", oidcToken: signInToken, clientPublicKey },
  }),
  PASSKEY: async (id, clientPublicKey) => {
    const answer = await call("/challenge", { id, clientPublicKey });
    await assertPasskeyChallenge(answer, {
      platformId,
      environment: "SANDBOX",
      organizationId: organizationId(),
      credentialId: id,
      clientPublicKey,
    });
    const assertion = asSandboxTakesIt(await usePasskey(answer.challenge));
    return { proof: { type: "PASSKEY", assertion }, requestId: answer.requestId };
  },
};

function credentialId(type) {
  const credential = credentials.find((one) => one.type === type);
  if (credential === undefined) throw new Error("The wallet has no such way in yet.");
  return credential.id;
}

/** The first code is sent when mail is added; a new one takes the place of the one before. */
async function sendCode() {
  await call("/challenge", { id: credentialId("EMAIL_OTP") });
  return "A new code is made.";
}

async function signIn(type) {
  const id = credentialId(type);
  const clientKey = await createClientKey();
  const proof = await proofs[type](id, clientKey.clientPublicKey);
  const opened = await call("/verify", { id, ...proof });
  // With a production platform: await openSession(clientKey, opened.encryptedSessionSigningKey).
  session = sandboxSession;
  show("session", opened.id);
  show("session-type", `${opened.type}, ${opened.nickname}`);
  show("session-end", opened.expiresAt);
  return "Signed in.";
}

async function exportWallet() {
  const clientKey = await createClientKey();
  const { clientPublicKey } = clientKey;
  const expected = {
    operation: "EXPORT_WALLET",
    organizationId: organizationId(),
    clientPublicKey,
  };
  const { encryptedWalletCredentials } = await signedCall("/export", { clientPublicKey }, expected);
  // With a production platform: openExport, with the issuer's public key that is built into your page.
  const words = await openUnsignedExport({
    encryptedWalletCredentials,
    clientKey,
    organizationId: organizationId(),
  });
  const items = words.split(" ").map((word) => {
    const item = document.createElement("li");
    item.textContent = word;
    return item;
  });
  element("words").replaceChildren(...items);
  return "These words are the wallet. Whoever has them has it.";
}

/** Does one thing at a time and tells what came of it. */
async function run(what) {
  const buttons = document.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  show("told", "Working …");
  try {
    show("told", await what());
  } catch (error) {
    show("told", `That did not work: ${error.message}`);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

element("open").addEventListener("submit", (event) => {
  event.preventDefault();
  run(() => open(event.target));
});
element("send-code").addEventListener("click", () => run(sendCode));
element("export").addEventListener("click", () => run(exportWallet));
for (const button of document.querySelectorAll("[data-add]")) {
  button.addEventListener("click", () => run(() => add(button.dataset.add)));
}
for (const button of document.querySelectorAll("[data-sign-in]")) {
  button.addEventListener("click", () => run(() => signIn(button.dataset.signIn)));
}
