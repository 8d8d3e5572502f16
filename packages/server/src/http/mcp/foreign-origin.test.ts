import { describe, expect, it } from "vitest";
import { Refusal } from "../../engine/refusal.ts";
import { refuseForeignOrigin } from "./foreign-origin.ts";

const outcome = (origin: string | undefined, publicUrl: string) => {
  try {
    refuseForeignOrigin(origin, publicUrl);
    return "taken";
  } catch (error) {
    return error instanceof Refusal ? error.code : error;
  }
};

describe("a server with a name", () => {
  const own = "https://pay.example.com/florin";

  it.each([undefined, "https://pay.example.com"])("takes a message of %s", (origin) => {
    expect(outcome(origin, own)).toBe("taken");
  });

  it.each([
    "http://pay.example.com",
    "https://pay.example.com:8443",
    "https://pay.example.com.evil.test",
    "https://example.com",
    "https://PAY.example.com",
    "https://pay.example.com/",
    "https://a@pay.example.com",
    "https://pay.example.com https://evil.test",
    "http://localhost:5173",
    "http://127.0.0.1",
    "null",
    "",
    "chrome-extension://abcdefghijklmnop",
    "file://",
  ])("takes none of %s", (origin) => {
    expect(outcome(origin, own)).toBe("FORBIDDEN");
  });
});

describe("a server on this machine", () => {
  it.each(["http://127.0.0.1:8080", "http://localhost:3000", "https://[::1]", undefined])(
    "takes a message of %s",
    (origin) => {
      expect(outcome(origin, "http://127.0.0.1:8080")).toBe("taken");
    },
  );

  it.each(["http://evil.test:8080", "http://127.0.0.1.evil.test:8080", "http://10.0.0.1:8080"])(
    "takes none of %s",
    (origin) => {
      expect(outcome(origin, "http://127.0.0.1:8080")).toBe("FORBIDDEN");
    },
  );
});
