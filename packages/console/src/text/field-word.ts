const ABBREVIATIONS = new Set(["iban", "bic", "vpa", "ifsc", "uma", "ssn", "lei"]);

/** The name of a member in words: `accountNumber` as `Account number`, `address.line1` as `Address, line1`. */
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
