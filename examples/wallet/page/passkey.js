/** Passkeys of this browser, in the form in which they go over the wire. */
function toText(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export async function createPasskey(challenge, email) {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: toBytes(challenge),
      rp: { name: "A wallet of your own", id: location.hostname },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: email, displayName: email },
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -257 },
      ],
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      attestation: "none",
    },
  });
  return {
    credentialId: made.id,
    clientDataJson: toText(made.response.clientDataJSON),
    attestationObject: toText(made.response.attestationObject),
    transports: made.response.getTransports(),
  };
}

/** The challenge is text, and its characters are what the passkey signs. */
export async function usePasskey(challenge) {
  const used = await navigator.credentials.get({
    publicKey: {
      challenge: new TextEncoder().encode(challenge),
      rpId: location.hostname,
      userVerification: "preferred",
    },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
  return {
    credentialId: used.id,
    clientDataJson: toText(clientDataJSON),
    authenticatorData: toText(authenticatorData),
    signature: toText(signature),
    userHandle: userHandle === null ? null : toText(userHandle),
  };
}
