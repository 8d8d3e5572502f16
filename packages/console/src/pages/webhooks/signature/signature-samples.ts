/** How a receiver checks a signature. `body` are the bytes of the request as they came in. */
export const SIGNATURE_SAMPLES: readonly (readonly [language: string, code: string])[] = [
  [
    "TypeScript",
    `import { readWebhook } from "@florin/client/webhooks";

// Throws WebhookSignatureError.
const event = readWebhook({ body, header: request.headers["x-service-signature"], publicKey });`,
  ],
  [
    "Python",
    `import base64, json
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

key = serialization.load_pem_public_key(public_key_pem)
# Raises InvalidSignature.
key.verify(base64.b64decode(json.loads(header)["s"]), body, ec.ECDSA(hashes.SHA256()))`,
  ],
  [
    "Go",
    `func isSigned(publicKeyPEM, body []byte, header string) bool {
	var sent struct{ S string }
	block, _ := pem.Decode(publicKeyPEM)
	if block == nil || json.Unmarshal([]byte(header), &sent) != nil {
		return false
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	key, isKey := parsed.(*ecdsa.PublicKey)
	signature, notBase64 := base64.StdEncoding.DecodeString(sent.S)
	if err != nil || !isKey || notBase64 != nil {
		return false
	}
	digest := sha256.Sum256(body)
	return ecdsa.VerifyASN1(key, digest[:], signature)
}`,
  ],
  [
    "Java",
    `// s: the member "s" of the header, which is JSON
static boolean isSigned(String publicKeyPem, byte[] body, String s) throws GeneralSecurityException {
    byte[] der = Base64.getMimeDecoder().decode(publicKeyPem.replaceAll("-----[A-Z ]+-----", ""));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initVerify(KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der)));
    signature.update(body);
    return signature.verify(Base64.getDecoder().decode(s));
}`,
  ],
  [
    "PHP",
    `$body = file_get_contents('php://input');
$signature = base64_decode(json_decode($header, true)['s'] ?? '', true);
$isSigned = $signature !== false
    && openssl_verify($body, $signature, $publicKeyPem, OPENSSL_ALGO_SHA256) === 1;`,
  ],
  [
    "Ruby",
    `signature = Base64.strict_decode64(JSON.parse(header).fetch("s"))
is_signed = OpenSSL::PKey.read(public_key_pem).verify("SHA256", signature, body)`,
  ],
];
