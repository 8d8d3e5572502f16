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
  const MASTER_KEY = "0123456789abcdef".repeat(4);
  const DATABASE_URL = "postgresql://db/x";
  expect(readConfig({ DATABASE_URL, MASTER_KEY }).DATABASE_URL).toBe(DATABASE_URL);
});

describe("POSTGRES_SHARED_BUFFERS", () => {
  it.each(["128kB", "64MB", "3GB", "1TB"])("%s is kept", (given) => {
    expect(readConfig({ POSTGRES_SHARED_BUFFERS: given }).POSTGRES_SHARED_BUFFERS).toBe(given);
  });

  it.each(["big", "0", "128", "127kB", "-1MB", "1.5GB", "64mb", "2TB", "64MB x"])(
    "%s is refused by name",
    (given) => {
      expect(() => readConfig({ POSTGRES_SHARED_BUFFERS: given })).toThrow(
        /^POSTGRES_SHARED_BUFFERS: must be a whole number followed by kB, MB, GB or TB/,
      );
    },
  );
});

describe("TRUSTED_PROXIES", () => {
  it.each([
    [undefined, []],
    ["127.0.0.1", ["127.0.0.1"]],
    ["10.0.0.0/8, ::1,2001:db8::/32", ["10.0.0.0/8", "::1", "2001:db8::/32"]],
  ])("%j is %j", (given, read) => {
    expect(readConfig({ TRUSTED_PROXIES: given }).TRUSTED_PROXIES).toEqual(read);
  });

  it.each(["proxy.test", "10.1", "10.1/8", "10.0.0.0/33", "127.0.0.1,", "*", "::1/129"])(
    "%s is refused by name",
    (given) => {
      expect(() => readConfig({ TRUSTED_PROXIES: given })).toThrow(
        /^TRUSTED_PROXIES: .*is no IP address and no range such as 10.0.0.0\/8$/,
      );
    },
  );
});

describe("the first token", () => {
  const BOOTSTRAP_CLIENT_SECRET = "a secret of two and thirty letters";
  const BOOTSTRAP_CLIENT_ID = "a client id";

  it.each(["a:b", ":", "a\n", "a\u007f", "ä", "x".repeat(201)])("has no id like %j", (given) => {
    const settings = { BOOTSTRAP_CLIENT_ID: given, BOOTSTRAP_CLIENT_SECRET };
    expect(() => readConfig(settings)).toThrow(/^BOOTSTRAP_CLIENT_ID: must be .* without a colon$/);
  });

  it.each(["short", `${"x".repeat(40)}ä`, "x".repeat(201), `${"x".repeat(40)}\t`])(
    "has no secret like %j, which is not shown",
    (given) => {
      const settings = { BOOTSTRAP_CLIENT_ID, BOOTSTRAP_CLIENT_SECRET: given };
      expect(() => readConfig(settings)).toThrow(/^BOOTSTRAP_CLIENT_SECRET: must (?:be|have) at/);
      expect(() => readConfig(settings)).not.toThrow(given);
    },
  );

  it("has what a login by Basic can carry", () => {
    const secret = `${BOOTSTRAP_CLIENT_SECRET}: ~`;
    const settings = { BOOTSTRAP_CLIENT_ID: "a ~!", BOOTSTRAP_CLIENT_SECRET: secret };
    expect(readConfig(settings)).toMatchObject(settings);
  });
});

it.each([
  [
    { BOOTSTRAP_CLIENT_ID: "alone" },
    /^BOOTSTRAP_CLIENT_ID and BOOTSTRAP_CLIENT_SECRET are set tog/,
  ],
  [{ DATABASE_URL: "postgres://db/x" }, /^Set MASTER_KEY or MASTER_KEY_FILE/],
  [{ MASTER_KEY: "k".repeat(9) }, /^MASTER_KEY is not a usable key/],
  [{ MASTER_KEY_PREVIOUS: "k".repeat(9) }, /^MASTER_KEY_PREVIOUS is not a usable key/],
  [{ MASTER_KEY: "0123456789abcdef".repeat(4), MASTER_KEY_FILE: "x" }, /are both set/],
  [{ SMTP_URL: "smtp://u:hidden@mail.test" }, /^MAIL_FROM: must be set with SMTP_URL/],
  [{ SMTP_URL: "http://u:hidden@mail.test" }, /^SMTP_URL must look like/],
  [{ MAIL_FROM: "nobody" }, /^MAIL_FROM: must be an address/],
])("%j would be refused by a start, and is when it is read", (settings, complaint) => {
  expect(() => readConfig(settings)).toThrow(complaint);
  expect(() => readConfig(settings)).not.toThrow("hidden");
});
