import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

describe("PUBLIC_URL", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["https://pay.example", "https://pay.example"],
    ["https://pay.example/", "https://pay.example"],
    ["http://pay.example:8080/florin//", "http://pay.example:8080/florin"],
  ])("%j is kept as %j", (given, kept) => {
    expect(readConfig(given === undefined ? {} : { PUBLIC_URL: given }).PUBLIC_URL).toBe(kept);
  });

  it.each([
    "pay.example",
    "ftp://pay.example",
    "javascript:alert(1)",
    "https://user:word@pay.example",
    "https://pay.example/?a=b",
    "https://pay.example/#a",
  ])("%j is refused by name", (given) => {
    expect(() => readConfig({ PUBLIC_URL: given })).toThrow(/^PUBLIC_URL: must be an http/);
  });
});

it("a DATABASE_URL that is no address of PostgreSQL is refused, and not shown", () => {
  for (const given of ["notaurl", "mysql://root:secret@db/x", "localhost:5432"]) {
    expect(() => readConfig({ DATABASE_URL: given })).toThrow(
      /^DATABASE_URL: must begin with postgres:\/\/ or postgresql:\/\/$/,
    );
  }
  expect(readConfig({ DATABASE_URL: "postgresql://db/x" }).DATABASE_URL).toBe("postgresql://db/x");
});
