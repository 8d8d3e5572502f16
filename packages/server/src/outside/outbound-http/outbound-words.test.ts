import { expect, it } from "vitest";
import { type FailedReason, OutboundFailed, OutboundRefused } from "./outbound-errors.ts";
import { failureInWords } from "./outbound-words.ts";

const URL = "https://hooks.example:8443/in?secret=1";
const coded = (code: string) => Object.assign(new Error("x"), { code });
const failed = (reason: FailedReason, code?: string) =>
  new OutboundFailed(reason, code === undefined ? undefined : coded(code));

it.each<readonly [error: unknown, words: string]>([
  [
    failed("connect", "ECONNREFUSED"),
    "hooks.example:8443 refused the connection: nothing listens there.",
  ],
  [
    failed("connect", "EHOSTUNREACH"),
    "No connection to hooks.example:8443 could be made: its address does not answer.",
  ],
  [failed("timeout"), "hooks.example:8443 timed out: it did not answer in time."],
  [failed("tls", "CERT_HAS_EXPIRED"), "The certificate of hooks.example:8443 has expired."],
  [
    failed("tls", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    "The certificate of hooks.example:8443 is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).",
  ],
  [
    failed("tls", "ERR_TLS_CERT_ALTNAME_INVALID"),
    "The certificate of hooks.example:8443 is not valid (ERR_TLS_CERT_ALTNAME_INVALID).",
  ],
  [
    failed("tls", "ERR_SSL_UNSUPPORTED_PROTOCOL"),
    "The TLS handshake with hooks.example:8443 failed.",
  ],
  [
    failed("dns", "ENOTFOUND"),
    "The name hooks.example:8443 was not found: no name server knows an address for it.",
  ],
  [failed("reset"), "hooks.example:8443 closed the connection before it had answered."],
  [failed("protocol"), "hooks.example:8443 answered with something that is not HTTP/1.1."],
  [
    new OutboundRefused("resolved-address", "private"),
    "hooks.example:8443 resolves to a private address, which is not called; the endpoint must be reachable on the internet.",
  ],
  [
    new OutboundRefused("address"),
    "hooks.example:8443 is a private name or address, which is not called; the endpoint must be reachable on the internet.",
  ],
  [
    new OutboundRefused("scheme"),
    "The endpoint at hooks.example:8443 is refused. The URL must use https.",
  ],
  [new Error("boom"), "The request to hooks.example:8443 could not be sent."],
])("%s is told in words, with the host and without the path", (error, words) => {
  expect(failureInWords(error, URL)).toBe(words);
});

it("a timeout is told with its deadline, where that is known", () => {
  expect(failureInWords(failed("timeout"), URL, 15_000)).toBe(
    "hooks.example:8443 timed out: it did not answer within 15 s.",
  );
});
