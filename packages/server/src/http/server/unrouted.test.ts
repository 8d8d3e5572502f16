import { expect, it } from "vitest";
import { methodNotAllowed, notFoundAt } from "./unrouted.ts";

it.each([
  [
    "/customers",
    "There is nothing at this path. Operations are below /2025-10-13, their reference is at /docs.",
  ],
  ["/2025-10-13/config/?a=b", "There is nothing at this path. No path ends with a slash."],
  ["/2025-10-13/nothing?a=/", "There is nothing at this path."],
])("a path that is not there is told what it lacks: %s", (url, message) => {
  expect(notFoundAt(url)).toMatchObject({ code: "NOT_FOUND", message });
});

it("a 405 names the methods of the path", () => {
  expect(methodNotAllowed("GET, HEAD").message).toBe(
    "This path does not take this method: it takes GET, HEAD.",
  );
});
