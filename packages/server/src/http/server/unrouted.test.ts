import { expect, it } from "vitest";
import { methodNotAllowed, notFoundAt } from "./unrouted.ts";

it.each([
  [
    "/customers",
    "There is nothing at this path. Operations are below /2025-10-13, their reference is at /docs.",
  ],
  ["/2025-10-13/config/?a=b", "There is nothing at this path. No path ends with a slash."],
  ["/2025-10-13/nothing?a=/", "There is nothing at this path."],
])("an unknown path is answered with what it lacks: %s", (url, message) => {
  expect(notFoundAt(url)).toMatchObject({ code: "NOT_FOUND", message });
});

it("a method that a path does not support is answered with the supported ones", () => {
  expect(methodNotAllowed("GET, HEAD").message).toBe(
    "This path does not take this method: it takes GET, HEAD.",
  );
});
