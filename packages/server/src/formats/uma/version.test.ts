import { expect, it } from "vitest";
import { MessageFault } from "./message-fault.ts";
import {
  isVersionAccepted,
  isVersionAnswered,
  readUnsupportedVersion,
  unsupportedVersion,
} from "./version.ts";

it.each([
  ["1.0", true, true],
  ["1.3", true, false],
  ["1.99999", true, false],
  ["0.3", false, false],
  ["2.0", false, false],
  ["9.0", false, false],
  ["1", false, false],
  ["01.0", false, false],
  ["1.0.0", false, false],
  ["1.0 ", false, false],
  ["-1.0", false, false],
  ["", false, false],
  ["1.999999", false, false],
])("version %j is answered: %s, accepted as an answer: %s", (text, isAnswered, isAccepted) => {
  expect([isVersionAnswered(text), isVersionAccepted(text)]).toEqual([isAnswered, isAccepted]);
});

it.each([
  ['{"supportedMajorVersions":[1],"unsupportedVersion":"1.0"}', "none"],
  ['{"supportedMajorVersions":[0,1,2]}', "none"],
  ['{"supportedMajorVersions":[0]}', "NO_COMPATIBLE_UMA_VERSION"],
  ['{"supportedMajorVersions":[]}', "NO_COMPATIBLE_UMA_VERSION"],
  ['{"supportedMajorVersions":["1"]}', "UNSUPPORTED_UMA_VERSION"],
  ['{"supportedMajorVersions":[1.0]}', "UNSUPPORTED_UMA_VERSION"],
  ["{}", "UNSUPPORTED_UMA_VERSION"],
  ["<html>", "UNSUPPORTED_UMA_VERSION"],
])("a 412 with %s ends with %s", (text, code) => {
  let found = "none";
  try {
    readUnsupportedVersion(Buffer.from(text));
  } catch (error) {
    found = error instanceof MessageFault ? error.code : String(error);
  }
  expect(found).toBe(code);
});

it("a 412 of ours is read by ourselves", () => {
  const body = JSON.stringify(unsupportedVersion("0.3"));
  expect(() => readUnsupportedVersion(Buffer.from(body))).not.toThrow();
});
