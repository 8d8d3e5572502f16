import { expect, it } from "vitest";
import { readVaspDomain } from "./vasp-domain.ts";

it.each([
  ["vasp.example", "vasp.example"],
  ["VASP.Example", "vasp.example"],
  ["vasp.example:8443", "vasp.example:8443"],
  ["vasp.example:443", "vasp.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["xn--a.example", undefined],
  ["bücher.example", undefined],
  ["vasp", undefined],
  ["localhost", undefined],
  ["127.0.0.1", undefined],
  ["10.1", undefined],
  ["vasp.0x7f", undefined],
  ["[::1]", undefined],
  ["vasp.example.", undefined],
  ["vasp.example:", undefined],
  ["vasp.example:0", undefined],
  ["vasp.example:443:443", undefined],
  ["vasp.example/x", undefined],
  ["user@vasp.example", undefined],
  ["https://vasp.example", undefined],
  ["vasp.example\n", undefined],
  ["vasp.ex\u212ample", undefined],
  ["", undefined],
])("the domain %j is %j", (text, expected) => {
  expect(readVaspDomain(text)).toBe(expected);
});
