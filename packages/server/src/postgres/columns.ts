import { Bug } from "../std/assert.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** The column types in use. Values are sent to PostgreSQL in binary form and received in text form. */
export type ColumnType = "uuid" | "text" | "int8" | "int4" | "bool" | "time" | "json" | "bytes";

const OIDS: Readonly<Record<ColumnType, number>> = {
  uuid: 2950,
  text: 25,
  int8: 20,
  int4: 23,
  bool: 16,
  time: 1184,
  json: 114,
  bytes: 17,
};

export const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  uuid: "uuid",
  text: "text",
  int8: "int8",
  int4: "int4",
  bool: "bool",
  time: "timestamptz",
  json: "json",
  bytes: "bytea",
};

/** PostgreSQL counts microseconds from the year 2000. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** The select expression of a column whose text `decodeCell` reads without loss. */
export function selectExpression(column: string, type: ColumnType): string {
  return type === "time" ? `floor(extract(epoch from ${column}) * 1000)::int8` : column;
}

export function decodeCell(cell: string | null, type: ColumnType): unknown {
  if (cell === null) return null;
  switch (type) {
    case "uuid":
    case "text":
      return cell;
    case "int8":
      return BigInt(cell);
    case "int4":
    case "time":
      return Number(cell);
    case "bool":
      return cell === "t";
    case "json":
      return JSON.parse(cell);
    case "bytes":
      return Buffer.from(cell.slice(2), "hex");
  }
}

/** A value in binary form, preceded by its length; null has the length -1. */
export function encodeValue(writer: ByteWriter, value: unknown, type: ColumnType): void {
  if (value === null || value === undefined) {
    writer.int32(-1);
    return;
  }
  switch (type) {
    case "uuid":
      writer.int32(16);
      writer.uuid(value as string);
      return;
    case "int8":
      writer.int32(8);
      writer.int64(value as bigint);
      return;
    case "int4":
      writer.int32(4);
      writer.int32(value as number);
      return;
    case "bool":
      writer.int32(1);
      writer.uint8(value === true ? 1 : 0);
      return;
    case "time":
      writer.int32(8);
      encodeTime(writer, Math.trunc((value as number) - POSTGRES_EPOCH_MS));
      return;
    case "bytes":
      writer.int32((value as Buffer).length);
      writer.raw(value as Buffer);
      return;
    case "text":
    case "json": {
      const at = writer.openLength();
      writer.utf8(type === "json" ? jsonText(value) : (value as string));
      writer.closeLength(at, "without-itself");
      return;
    }
  }
}

function encodeTime(writer: ByteWriter, sinceEpochMs: number): void {
  const micros = sinceEpochMs * 1000;
  // Microseconds from the year 2285 on exceed the exact range of a double.
  if (Number.isSafeInteger(micros)) writer.wholeInt64(micros);
  else writer.int64(BigInt(sinceEpochMs) * 1000n);
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new Bug("the value of a json column is not valid JSON");
  return text;
}

/** A one-dimensional array of the values that `pick` takes from each row, preceded by its length. */
export function encodeArray<Row>(
  writer: ByteWriter,
  rows: readonly Row[],
  column: { readonly type: ColumnType; readonly pick: (row: Row) => unknown },
): void {
  const at = writer.openLength();
  writer.int32(rows.length === 0 ? 0 : 1);
  writer.int32(1);
  writer.int32(OIDS[column.type]);
  if (rows.length > 0) {
    writer.int32(rows.length);
    writer.int32(1);
    for (const row of rows) encodeValue(writer, column.pick(row), column.type);
  }
  writer.closeLength(at, "without-itself");
}

export function parameter(type: ColumnType, value: unknown): (writer: ByteWriter) => void {
  return (writer) => encodeValue(writer, value, type);
}

export function arrayParameter(
  type: ColumnType,
  values: readonly unknown[],
): (writer: ByteWriter) => void {
  return (writer) => encodeArray(writer, values, { type, pick: (value) => value });
}
