/** Validates a row of a file of customers and converts it to the command's input. */

import { type RowError, rowLabel } from "../domain/customers/bulk-jobs/bulk-job.ts";
import type { CreateCustomerInput } from "../domain/customers/create-customer.ts";
import { customerTypes } from "../domain/customers/customer.ts";
import { normalizeUmaAddress } from "../domain/customers/uma-address.ts";
import { invalidFields, Refusal } from "../engine/refusal.ts";
import { present } from "../std/assert.ts";
import { badText, isBadText } from "../validation/json-body.ts";
import {
  type CompileSchema,
  createValidator,
  type Faults,
  joinFaults,
  plainFaults,
  refuse,
  type Validator,
} from "../validation/validation.ts";
import { type ColumnName, columnNames, rowSchema } from "../wire/customers/customer-columns.ts";
import { badUmaAddress, isNoUmaAddress } from "../wire/uma/uma-address.ts";
import type { Header, Row } from "./customer-file.ts";

/** The input without the wallet, whose keys are generated only for rows that are submitted. */
export type RowCustomer = Omit<CreateCustomerInput, "wallet">;

export type CheckedRow =
  | { readonly kind: "sound"; readonly correlationId: string; readonly input: RowCustomer }
  | { readonly kind: "refused"; readonly error: RowError };

export type CheckRow = (header: Header, row: Row) => CheckedRow;

type Cells = Readonly<Partial<Record<ColumnName, string>>>;

export function createRowCheck(compile: CompileSchema): CheckRow {
  const validators = new Map(
    customerTypes.map((type) => [type as string, createValidator(rowSchema(type), compile)]),
  );
  const fallback = present(validators.get("INDIVIDUAL"), "the check of an individual");
  return (header, row) => {
    const cells = cellsOf(header, row);
    const fits = row.width <= header.length;
    const correlationId = correlationIdOf(cells, fits) ?? rowLabel(row.line);
    try {
      if (!fits) throw tooManyCells(header, row);
      refuseBadCells(cells, validators.get(cells.customerType ?? "") ?? fallback);
      return { kind: "sound", correlationId, input: toInput(cells) };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const { code, message, details = null } = thrown;
      return { kind: "refused", error: { line: row.line, correlationId, code, message, details } };
    }
  };
}

const KNOWN_COLUMNS: ReadonlySet<string> = new Set(columnNames);

/** An empty cell is an absent field, as is a cell that a short row lacks; unknown columns are ignored. */
function cellsOf(header: Header, { cells }: Row): Cells {
  const found: Record<string, string> = {};
  for (const [index, name] of header.entries()) {
    const cell = cells[index];
    if (KNOWN_COLUMNS.has(name) && cell !== undefined && cell !== "") found[name] = cell;
  }
  return found;
}

const MAX_ID_CHARS = 255;

/** The platform's own id of the customer in a row, when the file has that column. */
function correlationIdOf({ platformCustomerId = "" }: Cells, fits: boolean): string | undefined {
  const isUsable = platformCustomerId.length <= MAX_ID_CHARS && !isBadText(platformCustomerId);
  return fits && platformCustomerId !== "" && isUsable ? platformCustomerId : undefined;
}

function tooManyCells(header: Header, { width }: Row): Refusal {
  const message = `has ${width} cells where the header has ${header.length}`;
  return invalidFields([{ field: "row", message }], "INVALID_INPUT", {
    cells: width,
    columns: header.length,
  });
}

/** All field errors of the row. */
function refuseBadCells(cells: Cells, validator: Validator): void {
  const unfit = joinFaults(textFaults(cells), validator.faultsOf(cells));
  const faults = joinFaults(unfit, addressFaults(cells));
  if (faults !== undefined) refuse(faults);
}

function textFaults(cells: Cells): Faults | undefined {
  const bad = Object.entries(cells).filter(([, cell]) => isBadText(cell));
  return plainFaults(bad.map(([name]) => badText(name)));
}

/** Spreadsheets treat a leading `$` as a currency sign, so an address may lack it. */
function withDollar(address: string): string {
  return address.startsWith("$") ? address : `$${address}`;
}

function addressFaults({ umaAddress }: Cells): Faults | undefined {
  if (umaAddress === undefined || !isNoUmaAddress(withDollar(umaAddress))) return undefined;
  return { code: "INVALID_UMA_ADDRESS", errors: [badUmaAddress("umaAddress")] };
}

function toInput(cells: Cells): RowCustomer {
  return {
    umaAddress: present(
      normalizeUmaAddress(withDollar(given(cells, "umaAddress"))),
      "a sound address",
    ),
    currencies: undefined,
    customer: {
      platformCustomerId: given(cells, "platformCustomerId"),
      region: null,
      phoneNumber: null,
      address: {
        line1: given(cells, "addressLine1"),
        ...(cells.addressLine2 === undefined ? {} : { line2: cells.addressLine2 }),
        city: given(cells, "city"),
        state: given(cells, "state"),
        postalCode: given(cells, "postalCode"),
        country: given(cells, "country"),
      },
      nationality: null,
      profile: {},
      identitySealed: null,
      identityHasSsnForm: null,
      metadata: null,
      ...(cells.customerType === "BUSINESS" ? businessOf(cells) : personOf(cells)),
    },
  };
}

function given(cells: Cells, name: ColumnName): string {
  return present(cells[name], name);
}

type OwnFields = Pick<
  RowCustomer["customer"],
  "customerType" | "email" | "fullName" | "birthDate" | "businessInfo"
>;

function personOf(cells: Cells): OwnFields {
  return {
    customerType: "INDIVIDUAL",
    email: cells.email ?? null,
    fullName: given(cells, "fullName"),
    birthDate: given(cells, "birthDate"),
    businessInfo: null,
  };
}

/** Fields that a request requires and a file has no columns for are required at the verification of the business. */
function businessOf(cells: Cells): OwnFields {
  const { businessRegistrationNumber: registrationNumber, businessTaxId: taxId } = cells;
  return {
    customerType: "BUSINESS",
    email: null,
    fullName: null,
    birthDate: null,
    businessInfo: {
      legalName: given(cells, "businessLegalName"),
      ...(registrationNumber === undefined ? {} : { registrationNumber }),
      ...(taxId === undefined ? {} : { taxId }),
    },
  };
}
