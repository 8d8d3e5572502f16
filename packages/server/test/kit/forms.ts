/** Multipart forms with files. */

export const PDF = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");

export interface FilePart {
  readonly bytes: Buffer | string;
  readonly name?: string;
  readonly type?: string;
}

export function formOf(
  fields: Readonly<Record<string, string | undefined>>,
  file?: FilePart,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value);
  }
  if (file !== undefined) {
    const { bytes, name = "file.pdf", type = "application/pdf" } = file;
    form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name);
  }
  return form;
}

export function passportForm(
  documentHolder: string | undefined,
  {
    fields = {},
    file = { bytes: PDF, name: "passport.pdf" },
  }: {
    readonly fields?: Readonly<Record<string, string | undefined>>;
    readonly file?: FilePart;
  } = {},
): FormData {
  return formOf({ documentHolder, documentType: "PASSPORT", country: "US", ...fields }, file);
}

export const CSV_COLUMNS = [
  "umaAddress",
  "platformCustomerId",
  "customerType",
  "fullName",
  "birthDate",
  "addressLine1",
  "city",
  "state",
  "postalCode",
  "country",
] as const;

/** A row of one person for a platform with this UMA domain; `cells` overrides cells. */
export function csvRow(
  id: string,
  umaDomain: string,
  cells: Readonly<Partial<Record<(typeof CSV_COLUMNS)[number], string>>> = {},
): string {
  const whole = {
    umaAddress: `$${id}@${umaDomain}`,
    platformCustomerId: id,
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    birthDate: "1991-02-03",
    addressLine1: "1 Main St",
    city: "Springfield",
    state: "IL",
    postalCode: "62701",
    country: "US",
    ...cells,
  };
  return CSV_COLUMNS.map((column) => whole[column]).join(",");
}

export function csvOf(rows: readonly string[]): string {
  return `${[CSV_COLUMNS.join(","), ...rows].join("\n")}\n`;
}

export function csvForm(bytes: Buffer | string): FormData {
  return formOf({}, { bytes, name: "customers.csv", type: "text/csv" });
}
