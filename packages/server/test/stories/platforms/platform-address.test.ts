/** `$platform@` and a domain is the address of the platform itself: no customer gets it, in whatever way. */
import { beforeAll, describe, expect, it } from "vitest";
import { csvForm, csvOf, csvRow } from "../../kit/forms.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { claim, formTokenIn, invite, open, post, statusOf } from "../../kit/story-invitations.ts";

const server = await sharedServer();
let story: Story;
let umaDomain: string;
beforeAll(async () => {
  story = await openStory(server);
  umaDomain = (await story.call("GET", "/config")).json.umaDomain;
});

const person = (more: object) => ({ customerType: "INDIVIDUAL", fullName: "Ana Ruiz", ...more });

const RESERVED = { status: 409, json: { code: "UMA_ADDRESS_EXISTS" } };

describe("the platform's own address", () => {
  it("is refused to a new customer like one that is taken, in either case", async () => {
    for (const name of ["$platform", "$PLATFORM", "$Platform"]) {
      const made = await story.call(
        "POST",
        "/customers",
        person({ umaAddress: `${name}@${umaDomain}` }),
      );
      expect(made).toMatchObject(RESERVED);
      expect(made.json.message).toContain("reserved for the platform itself");
    }
    expect((await story.call("GET", "/customers")).json.totalCount).toBe(0);
    for (const name of ["$platforms", "$platform.", "$my.platform"]) {
      const made = await story.call(
        "POST",
        "/customers",
        person({ umaAddress: `${name}@${umaDomain}` }),
      );
      expect([name, made.status]).toEqual([name, 201]);
    }
  });

  it("is refused to a customer who changes address", async () => {
    const { id, umaAddress } = (await story.call("POST", "/customers", person({}))).json;
    const change = { customerType: "INDIVIDUAL", umaAddress: `$platform@${umaDomain}` };
    expect(await story.call("PATCH", `/customers/${id}`, change)).toMatchObject(RESERVED);
    expect((await story.call("GET", `/customers/${id}`)).json.umaAddress).toBe(umaAddress);
  });

  it("is refused to a row of a file", async () => {
    const rows = [
      csvRow("reserved", umaDomain, { umaAddress: `$platform@${umaDomain}` }),
      csvRow("fine", umaDomain),
    ];
    const { json } = await story.call("POST", "/customers/bulk/csv", csvForm(csvOf(rows)));
    const job = await soon(async () => {
      await story.settle();
      const read = await story.call("GET", `/customers/bulk/jobs/${json.jobId}`);
      expect(read.json.status).toBe("COMPLETED");
      return read.json;
    });
    expect(job.errors).toEqual([
      expect.objectContaining({ correlationId: "reserved", code: "UMA_ADDRESS_EXISTS" }),
    ]);
  });

  it("accepts no invitation, over the API or on the page", async () => {
    const { code, url } = await invite(story);
    for (const inviteeUma of [`$platform@${umaDomain}`, "$PLATFORM@wallet.test"]) {
      const refused = await claim(story, code, { inviteeUma });
      expect([refused.status, refused.json.code]).toEqual([400, "INVALID_UMA_ADDRESS"]);
      expect(refused.json.details.field).toBe("inviteeUma");
    }
    expect(await statusOf(story, code)).toBe("PENDING");
    const token = formTokenIn((await open(url)).html);
    const umaAddress = "$platform@wallet.test";
    const page = await post(url, { "form-token": token, umaAddress });
    expect([page.status, page.html.includes("address of a provider itself")]).toEqual([400, true]);
  });

  it("cannot be paid", async () => {
    const path = `/receiver/uma/${encodeURIComponent(`$platform@${umaDomain}`)}`;
    expect((await story.call("GET", path)).status).toBe(404);
  });
});
