/** What a console is told of an event, and which role is told of what. */
import { describe, expect, it } from "vitest";
import { eventCatalogue, eventTypes } from "../../event-catalogue.ts";
import { capabilitiesOf, type roles } from "../../people/role.ts";
import { mayBeTold, noticeKinds, toNotice } from "./live-notice.ts";

describe("a notice", () => {
  it.each(eventTypes)("of %s names the object and what happened, and nothing else", (type) => {
    const { data } = eventCatalogue[type];
    const notice = toNotice(7n, type, "Thing:1");
    if (data === "nothing") {
      expect(notice).toBeUndefined();
      return;
    }
    expect(noticeKinds).toContain(data);
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

describe("who is told", () => {
  const toldTo = (role: (typeof roles)[number]) => {
    const held = capabilitiesOf([role], "PRODUCTION");
    return noticeKinds.filter((kind) => mayBeTold({ seq: 1n, kind, id: "x", status: "y" }, held));
  };

  it.each<[(typeof roles)[number], readonly string[]]>([
    ["OWNER", []],
    ["ADMIN", []],
    ["DEVELOPER", []],
    ["FINANCE", []],
    ["APPROVER", ["WebhookEndpoint"]],
    ["COMPLIANCE", ["WebhookEndpoint"]],
    ["SUPPORT", []],
    ["VIEWER", ["WebhookEndpoint", "RailConnection", "RailPayment", "RailItem", "RailStatement"]],
  ])("%s of all but %j", (role, missing) => {
    expect(toldTo(role)).toEqual(noticeKinds.filter((kind) => !missing.includes(kind)));
  });

  it("a person without a role of nothing", () => {
    for (const kind of noticeKinds)
      expect(mayBeTold({ seq: 1n, kind, id: "x", status: "y" }, new Set())).toBe(false);
  });
});
