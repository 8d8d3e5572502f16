/** What a console is told of an event. */
import { describe, expect, it } from "vitest";
import { eventCatalogue, eventTypes } from "../../event-catalogue.ts";
import { toNotice } from "./live-notice.ts";

describe("a notice", () => {
  it.each(eventTypes)("of %s names the object and what happened, and nothing else", (type) => {
    const { data } = eventCatalogue[type];
    const notice = toNotice(7n, type, "Thing:1");
    if (data === "nothing") {
      expect(notice).toBeUndefined();
      return;
    }
    expect(notice).toEqual({ seq: 7n, kind: data, id: "Thing:1", status: notice?.status });
    expect(type.endsWith(notice?.status ?? "?")).toBe(true);
    expect(notice?.status).not.toContain(".");
  });

  it.each([
    ["OUTGOING_PAYMENT.PENDING", "PENDING"],
    ["INTERNAL_ACCOUNT.BALANCE_UPDATED", "BALANCE_UPDATED"],
    ["APPROVAL.DONE", "DONE"],
  ])("of %s has the status %s", (type, status) => {
    expect(toNotice(1n, type, "x")?.status).toBe(status);
  });

  it.each(["", "NO_SUCH_EVENT", "TEST", "toString"])("of %j is none", (type) => {
    expect(toNotice(1n, type, "x")).toBeUndefined();
  });
});
