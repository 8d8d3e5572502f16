import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Shell, startShell } from "../../../test/kit/http-shell.ts";
import { formTokenIn, open, post } from "../../../test/kit/story-invitations.ts";
import { Refusal } from "../../engine/refusal.ts";
import { Fault } from "../../std/errors.ts";
import { postForm } from "./form.ts";
import type { HostedPage } from "./hosted-page.ts";
import { html } from "./markup.ts";

let shell: Shell;
afterEach(() => shell.server.close(0));

function pageThat(show: () => void): HostedPage<object> {
  return {
    id: "thePage",
    path: "/pages/{name}",
    async show({ params, formToken }) {
      show();
      return {
        status: 200,
        title: params.name ?? "",
        content: postForm(formToken, html`<p>Hi</p>`),
      };
    },
    async submit({ fields }) {
      return { status: 200, title: "Taken", content: html`<p>${fields.get("a")}</p>` };
    },
  };
}

const start = async (show: () => void, options: Parameters<typeof startShell>[0] = {}) => {
  shell = await startShell({ hostedPages: [pageThat(show)], ...options });
};

describe("a hosted page", () => {
  it("is shown, accepts its own form, and is counted", async () => {
    await start(() => undefined);
    const url = `${shell.origin}/pages/one`;
    const page = await open(`${url}?utm=1`);
    expect([page.status, page.heading]).toEqual([200, "one"]);
    const taken = await post(url, { "form-token": formTokenIn(page.html), a: "<b>" });
    expect([taken.status, taken.heading]).toEqual([200, "Taken"]);
    expect(taken.html).toContain("<p>&lt;b&gt;</p>");
    const counted = /operation="thePage"[^}]*2xx[^}]*\} (\d+)/.exec(await shell.metrics.text());
    expect(counted?.[1]).toBe("2");
  });

  it("answers a form with 405 when it has none", async () => {
    const { submit: _, ...silent } = pageThat(() => undefined);
    shell = await startShell({ hostedPages: [silent] });
    const answer = await post(`${shell.origin}/pages/one`, {});
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it.each([
    ["a refusal", () => new Refusal("NOT_FOUND"), 404, "There is nothing here", 0],
    ["a fault", () => new Fault("the database is away"), 503, "We are busy", 0],
    ["a bug", () => new TypeError("secret of ours"), 500, "Something went wrong on our side", 1],
  ])("that meets %s reports it as a page", async (_what, thrown, status, heading, logged) => {
    await start(() => {
      throw thrown();
    });
    const page = await open(`${shell.origin}/pages/one`);
    expect([page.status, page.heading]).toEqual([status, heading]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.html).not.toContain("secret");
    expect(page.html.includes(page.headers.get("x-request-id") ?? "none")).toBe(status >= 500);
    expect(page.headers.get("retry-after") !== null).toBe(status === 503);
    expect(shell.log.filter(({ level }) => level === "error")).toHaveLength(logged);
  });

  it("is not shown more often to one address than the limit says", async () => {
    await start(() => undefined, { limits: { hostedPageRate: { perSecond: 0.01, burst: 2 } } });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await open(`${shell.origin}/pages/one`)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await open(`${shell.origin}/pages/two`);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await fetch(`${shell.origin}/healthz`)).status).toBe(200);
  });

  it.each([
    ["accepted", 303, async () => ({ seeOther: "/pages/one" })],
    [
      "refused",
      404,
      async () => {
        throw new Refusal("NOT_FOUND");
      },
    ],
  ])("gives the place of a form with a file back when it was %s", async (_end, status, end) => {
    const page: HostedPage<object> = {
      ...pageThat(() => undefined),
      upload({ open: openForm }) {
        openForm({
          platformId: "one",
          file: { description: "a file", maxBytes: 10 },
          checkFields: () => undefined,
          toIdempotency: () => ({ scope: "one", key: "k", bodyDigest: Buffer.alloc(32) }),
        });
        return end();
      },
    };
    const { submit: _, ...uploading } = page;
    shell = await startShell({ hostedPages: [uploading], limits: { formsOfPlatform: 1 } });
    for (let count = 0; count < 2; count += 1) {
      const body = new FormData();
      body.set("file", new Blob(["x"]), "x.txt");
      const url = `${shell.origin}/pages/one`;
      const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
      expect(answer.status).toBe(status);
    }
  });

  it("answers every posted body without a 500", async () => {
    await start(() => undefined, { limits: { hostedPageRate: { perSecond: 1e6, burst: 1e6 } } });
    const url = `${shell.origin}/pages/one`;
    const token = formTokenIn((await open(url)).html);
    const field = fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }));
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(field, { maxLength: 5 })
        .map((fields) =>
          Buffer.from(`form-token=${token}&${fields.map((pair) => pair.join("=")).join("&")}`),
        ),
    );
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const answer = await open(url, { method: "POST", body: bytes, headers });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});
