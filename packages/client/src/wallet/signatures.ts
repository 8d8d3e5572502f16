/** ECDSA signatures in two forms: `r` and `s` concatenated (WebCrypto), and DER (most other software). */
import { type Bytes, concat } from "./bytes.ts";
import { COORDINATE_BYTES } from "./p256.ts";

const SEQUENCE = 0x30;
const INTEGER = 0x02;

export function toDer(raw: Uint8Array): Bytes {
  const body = concat(
    integer(raw.slice(0, COORDINATE_BYTES)),
    integer(raw.slice(COORDINATE_BYTES, 2 * COORDINATE_BYTES)),
  );
  return concat(Uint8Array.of(SEQUENCE, body.length), body);
}

/** Returns undefined unless the bytes are exactly one signature in canonical DER. */
export function fromDer(der: Uint8Array): Bytes | undefined {
  const first = readInteger(der, 2);
  const second = first && readInteger(der, first.end);
  if (first === undefined || second === undefined) return undefined;
  const raw = concat(first.value, second.value);
  const again = toDer(raw);
  const isSame = again.length === der.length && again.every((byte, index) => byte === der[index]);
  return isSame ? raw : undefined;
}

function integer(value: Uint8Array): Bytes {
  const start = value.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Uint8Array.of(0) : value.slice(start);
  const sign = (digits[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return concat(Uint8Array.of(INTEGER, sign.length + digits.length), sign, digits);
}

/** Accepts non-canonical DER; `fromDer` encodes the result again and compares. */
function readInteger(der: Uint8Array, start: number) {
  const length = der[start + 1] ?? 0;
  const end = start + 2 + length;
  if (length === 0 || length > COORDINATE_BYTES + 1 || end > der.length) return undefined;
  const digits = der.slice(start + 2, end);
  const value = digits.length > COORDINATE_BYTES ? digits.slice(1) : digits;
  return { end, value: concat(new Uint8Array(COORDINATE_BYTES - value.length), value) };
}
