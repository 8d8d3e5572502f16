const ABBREVIATIONS = new Set(["iban", "bic", "vpa", "ifsc", "uma", "ssn", "lei"]);

/** Turns a field's name into words: `accountNumber` into `Account number`, `address.line1` into `Address, line1`. */
export function fieldWord(path: string): string {
  const words = path
    .split(".")
    .map((name) => {
      const word = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
      return ABBREVIATIONS.has(word) ? word.toUpperCase() : word;
    })
    .join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Turns a type of account into words: `USD_ACCOUNT` into `USD account`, `ETHEREUM_WALLET` into `Ethereum wallet`. */
export function accountTypeWord(type: string): string {
  const [first = "", ...rest] = type.split("_");
  const isCode = first.length <= 3 || first === "SWIFT";
  const lead = isCode ? first : `${first.charAt(0)}${first.slice(1).toLowerCase()}`;
  return [lead, ...rest.map((word) => word.toLowerCase())].join(" ");
}
