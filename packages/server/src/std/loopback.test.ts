import { expect, it } from "vitest";
import { isLoopbackHost } from "./loopback.ts";

it.each([
  "http://localhost:3000/x",
  "http://LOCALHOST",
  "http://127.0.0.1",
  "http://127.255.255.254",
  "http://127.1",
  "http://[::1]:80",
  "http://[0:0:0:0:0:0:0:1]",
  "smtp://127.0.0.1:25",
  "smtp://[0::1]",
])("takes %s for this machine", (url) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(true);
});

it.each([
  "http://localhost.",
  "http://app.localhost",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "http://127.evil.example",
  "http://128.0.0.1",
  "http://0.0.0.0",
  "http://[::]",
  "http://[::ffff:127.0.0.1]",
  "smtp://127.1",
  "smtp://127.0.0.1.evil.example",
  "file:///tmp",
])("does not take %s for it", (url) => {
  expect(isLoopbackHost(new URL(url).hostname)).toBe(false);
});
