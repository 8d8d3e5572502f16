import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { measureSpeed } from "./machine-speed.ts";

const directory = mkdtempSync(join(tmpdir(), "florin-speed-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("measures a flush, a read and a hash, and leaves no file", () => {
  for (const figure of Object.values(measureSpeed(directory))) {
    expect(figure).toBeGreaterThan(0);
  }
  expect(readdirSync(directory)).toEqual([]);
});
