/** Every way we know to spell an address that must not be reached. */
const FORBIDDEN_IPV4 = (
  "127.0.0.1 127.0.0.2 127.255.255.254 0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 169.254.169.254 172.16.0.1 192.0.0.192 " +
  "192.168.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16"
).split(" ");

const FORBIDDEN_IPV6 = (
  "::1 :: ::2 fe80::1 febf::1 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 100::1 5f00::1 3fff::1 64:ff9b:1::1 2001::1 fec0::1 " +
  "0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001"
).split(" ");

function spellings(ipv4: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number, width = 0) => value.toString(16).padStart(width, "0");
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  return [
    ipv4,
    `${whole}`,
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((octet) => `0x${hex(octet)}`).join("."),
    [a, b, c, d].map((octet) => `0${octet.toString(8)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    [...ipv4].map((digit) => fullWidth(digit)).join(""),
    ipv4.replaceAll(".", "。"),
    [...ipv4].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join(""),
    `${ipv4}.`,
    `[::ffff:${ipv4}]`,
    `[::ffff:${high}:${low}]`,
    `[::${ipv4}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[64:ff9b::${ipv4}]`,
    `[2002:${high}:${low}::1]`,
    `[::ffff:0:${ipv4}]`,
  ];
}

function fullWidth(digit: string): string {
  return digit === "." ? "." : String.fromCharCode(digit.charCodeAt(0) + 0xfee0);
}

/** As they are written in a URL. */
export const forbiddenHosts: readonly string[] = [
  ...FORBIDDEN_IPV4.flatMap(spellings),
  ...FORBIDDEN_IPV6.map((address) => `[${address}]`),
  ..."localhost LOCALHOST localhost. ①②⑦.⓪.⓪.① ⑯⑨.②⑤④.⑯⑨.②⑤④ loc%61lhost ｌocalhost metadata.google.internal".split(
    " ",
  ),
  ..."user@127.0.0.1 127.0.0.1@localhost [::1%25lo] [fe80::1%25eth0] 0 0x 127 2130706433.".split(
    " ",
  ),
];
