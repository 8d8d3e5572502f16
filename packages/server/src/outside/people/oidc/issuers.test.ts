import { describe, expect, test } from "vitest";
import { describeSettings, readConfig } from "../../../config.ts";

describe("the issuers in the settings", () => {
  test("are Google and Apple by default", () => {
    const { OIDC_ISSUERS } = readConfig({});
    expect(OIDC_ISSUERS).toEqual(["https://accounts.google.com", "https://appleid.apple.com"]);
    const note = describeSettings({}).find(({ name }) => name === "OIDC_ISSUERS");
    expect(note?.fallback).toBe("https://accounts.google.com,https://appleid.apple.com");
  });

  test("are a list that replaces the default, each in its exact spelling", () => {
    const text = "https://login.example/tenant/, http://localhost:9000,http://127.0.0.1:9000";
    expect(readConfig({ OIDC_ISSUERS: text }).OIDC_ISSUERS).toEqual([
      "https://login.example/tenant/",
      "http://localhost:9000",
      "http://127.0.0.1:9000",
    ]);
  });

  test.each([
    "accounts.google.com",
    "http://login.example",
    "https://user@login.example",
    "https://login.example?x=1",
    "https://login.example#x",
    "https://login.example,,https://other.example",
    "https:login.example",
    "ftp://localhost",
  ])("refuse %j at the start", (text) => {
    expect(() => readConfig({ OIDC_ISSUERS: text })).toThrow("OIDC_ISSUERS: every issuer must be");
  });
});

describe("the mail settings", () => {
  test("show the mail server only as set", () => {
    const shown = describeSettings({
      SMTP_URL: "smtp://a:hunter2@mail.example",
      MAIL_FROM: "a@b.example",
    });
    expect(JSON.stringify(shown)).not.toContain("hunter2");
    expect(shown.find(({ name }) => name === "MAIL_FROM")?.value).toBe("a@b.example");
  });
});
