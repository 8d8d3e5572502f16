import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bulkJobEvents } from "./customers/bulk-jobs/end-bulk-job.ts";
import { kybEvents, kycEvents } from "./customers/customer-subject.ts";
import { verificationEvents } from "./customers/verification/verification.ts";
import { eventCatalogue, eventTypes } from "./event-catalogue.ts";
import { approvalEvents } from "./people/approvals/approval.ts";

const domain = fileURLToPath(new URL("./", import.meta.url));

/** The first argument of every `emit`, as it is written in the commands. */
function emitted(): readonly { readonly file: string; readonly argument: string }[] {
  return readdirSync(domain, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const text = readFileSync(join(domain, file), "utf8");
      const calls = [...text.matchAll(/\.emit\(\s*([^,]+),/g)];
      return calls.map((call) => ({ file, argument: (call[1] ?? "").trim() }));
    });
}

const isWritten = (argument: string) => /^"[A-Z_.]+"$/.test(argument);

/** Types that are looked up rather than written at the call: the call's file must take them from one of these lists. */
const lookedUp = [kycEvents, kybEvents, verificationEvents, bulkJobEvents, approvalEvents].flatMap(
  (list) => Object.values<string>(list),
);
const LOOKUPS = ["standingEvent(", "verificationEvents[", "bulkJobEvents[", "approvalEvents["];

function allEmitted(): ReadonlySet<string> {
  const written = emitted().map(({ argument }) => argument);
  return new Set([
    ...written.filter(isWritten).map((argument) => argument.slice(1, -1)),
    ...lookedUp,
  ]);
}

describe("the event catalogue", () => {
  it("names every type that a command emits", () => {
    const known: ReadonlySet<string> = new Set(eventTypes);
    expect([...allEmitted()].filter((type) => !known.has(type))).toEqual([]);
    expect(allEmitted().size).toBeGreaterThan(10);
  });

  it("names no type that no command emits", () => {
    expect(eventTypes.filter((type) => !allEmitted().has(type))).toEqual([]);
  });

  it("is complete, because a type that is not written at the call comes from a list that was checked", () => {
    const others = emitted().filter(({ argument }) => !isWritten(argument));
    const unknown = others.filter(({ file }) => {
      const text = readFileSync(join(domain, file), "utf8");
      return !LOOKUPS.some((lookup) => text.includes(lookup));
    });
    expect(unknown).toEqual([]);
  });

  it("says of each type in a sentence what has happened", () => {
    for (const type of eventTypes) {
      expect(eventCatalogue[type].meaning, type).toMatch(/^[A-Z].{15,}\.$/);
    }
  });
});
