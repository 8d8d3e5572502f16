/** The branding of a platform's hosted pages: how it is set, what the pages show of it, and what hostile values do. */
import { describe, expect, it } from "vitest";
import { passportForm } from "../../kit/forms.ts";
import { jpeg, png, pngOf, webp } from "../../kit/images.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer } from "../../kit/story.ts";
import { brand, setBranding, uploadLogo } from "../../kit/story-branding.ts";
import { cancel, invite, open, post } from "../../kit/story-invitations.ts";
import {
  fill,
  linkHomeOf,
  PASSPORT,
  PERSON,
  unverifiedPerson,
  upload,
} from "../../kit/story-links.ts";
import { advance } from "../../kit/story-money.ts";

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;

const server = await sharedServer();
const story = await openStory(server);

const read = async (on = story) => (await on.call("GET", "/config")).json;
const errorsOf = (answer: RawAnswer): readonly string[] =>
  answer.json.details.errors.map(
    ({ field, message }: { field: string; message: string }) => `${field} ${message}`,
  );
const header = (html: string) => /<header>(.*)<\/header>/.exec(html)?.[1];
const logoIn = (html: string) => /<img src="([^"]+)"/.exec(html)?.[1] ?? "";
const at = (path: string) => `${server.app.baseUrl}${path}`;

describe("the branding of a platform", () => {
  it("is absent at first, is set as a whole, and is taken away by null", async () => {
    const own = await openStory(server);
    expect(await read(own)).not.toHaveProperty("branding");
    const logoDocument = (await uploadLogo(own)).json.id;
    const full = { name: " Lind Pay ", color: "#0B6E4F", logoDocument };
    const set = await setBranding(own, full);
    expect(set.status).toBe(200);
    expect(set.json.branding).toEqual({ name: "Lind Pay", color: "#0b6e4f", logoDocument });
    expect((await own.call("PATCH", "/config", {})).json.branding).toEqual(set.json.branding);
    expect((await setBranding(own, { name: "Lind" })).json.branding).toEqual({ name: "Lind" });
    expect(await setBranding(own, null)).toMatchObject({ status: 200 });
    expect(await read(own)).not.toHaveProperty("branding");
  });

  it.each([
    ["a name of 10,000 characters", { name: "x".repeat(10_000) }, ["branding.name"]],
    ["an empty name", { name: "" }, ["branding.name"]],
    ["a blank name", { name: " \u202e\u2066 " }, ["branding.name"]],
    ["no name", { color: "#000000" }, ["branding.name"]],
    ["a name that is no text", { name: 5 }, ["branding.name"]],
    ["a colour by name", { name: "A", color: "red" }, ["branding.color"]],
    ["a short colour", { name: "A", color: "#fff" }, ["branding.color"]],
    ["a colour with more", { name: "A", color: "#000000;}" }, ["branding.color"]],
    ["a colour with a line end", { name: "A", color: "#000000\n" }, ["branding.color"]],
    ["null as a colour", { name: "A", color: null }, ["branding.color"]],
    ["an id of another kind", { name: "A", logoDocument: "Customer:x" }, ["branding.logoDocument"]],
    ["several faults", { name: "", color: "x" }, ["branding.name", "branding.color"]],
    ["a text", "Lind", ["branding"]],
    ["a list", [], ["branding"]],
  ])("is refused with %s", async (_what, branding, fields) => {
    const before = await read();
    const answer = await setBranding(story, branding);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    const named = errorsOf(answer).map((line) => line.split(" ")[0]);
    expect(named.toSorted()).toEqual([...fields].toSorted());
    expect(await read()).toEqual(before);
  });

  it("needs MANAGE", async () => {
    const token = { name: "t", permissions: ["VIEW", "TRANSACT"] };
    const { json } = await story.call("POST", "/tokens", token);
    const authorization = `Basic ${btoa(`${json.clientId}:${json.clientSecret}`)}`;
    const body = { branding: { name: "Lind" } };
    const answer = await story.call("PATCH", "/config", body, { authorization });
    expect(answer.status).toBe(403);
  });
});

describe("a logo", () => {
  it.each([
    ["a PNG", png()],
    ["a JPEG", jpeg()],
    ["a WebP", webp("VP8L")],
  ])("is a document of the platform: %s", async (_what, bytes) => {
    const made = await uploadLogo(story, bytes);
    expect([made.status, made.json.documentHolder]).toEqual([
      201,
      `PlatformConfig:${story.platformId}`,
    ]);
    const { id } = made.json;
    const listed = await story.call(
      "GET",
      `/documents?documentHolder=PlatformConfig:${story.platformId}`,
    );
    expect(listed.json.data[0].id).toBe(id);
    const set = await setBranding(story, { name: "Lind", logoDocument: id });
    expect([set.status, set.json.branding.logoDocument]).toEqual([200, id]);
  });

  it("is refused where it is no image, or an image that is too large", async () => {
    const refusedAs = async (bytes: Buffer) => {
      const { id } = (await uploadLogo(story, bytes)).json;
      const answer = await setBranding(story, { name: "Lind", logoDocument: id });
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
      return errorsOf(answer)[0];
    };
    const none = "branding.logoDocument must be a PNG, JPEG or WebP image; its file is none";
    expect(await refusedAs(png().subarray(0, 40))).toBe(none);
    expect(await refusedAs(Buffer.concat([png(), Buffer.from("<svg onload=alert(1)>")]))).toBe(
      none,
    );
    expect(await refusedAs(pngOf({ width: 50_000, height: 50_000 }))).toBe(
      "branding.logoDocument must have at most 2048 × 2048 pixels; it has 50000 × 50000",
    );
    expect(await refusedAs(webp("VP8X", { width: 1 << 24, height: 1 }))).toContain("2048");
  });

  it("is refused at its upload where type, holder and file do not fit", async () => {
    const logo = (bytes: Buffer, fields = {}) => uploadLogo(story, bytes, fields);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
    expect(errorsOf(await logo(svg))).toEqual(["file must be a PDF, JPEG, PNG or WebP file"]);
    expect(errorsOf(await logo(Buffer.from("%PDF-1.7\n")))).toEqual([
      "file must be a PNG, JPEG or WebP file",
    ]);
    const heavy = Buffer.concat([png(), Buffer.alloc(256 * 1024)]);
    expect(errorsOf(await logo(heavy))).toEqual(["file must be at most 262144 bytes long"]);
    expect(errorsOf(await logo(png(), { documentType: "OTHER" }))).toEqual([
      "documentType must be PLATFORM_LOGO for the platform",
    ]);
    const customer = await unverifiedPerson(story);
    expect(errorsOf(await logo(png(), { documentHolder: customer }))).toEqual([
      "documentType must not be PLATFORM_LOGO for a customer or an owner",
    ]);
    const file = { bytes: webp("VP8L"), name: "passport.webp" };
    expect(
      errorsOf(await story.call("POST", "/documents", passportForm(customer, { file }))),
    ).toEqual(["file must be a PDF, JPEG or PNG file"]);
  });

  it("cannot be a document of a customer, of another platform, or one that is gone", async () => {
    const customer = await unverifiedPerson(story);
    const passport = await story.call("POST", "/documents", passportForm(customer));
    const refused = await setBranding(story, { name: "A", logoDocument: passport.json.id });
    expect(errorsOf(refused)).toEqual([
      "branding.logoDocument must be a document of the type PLATFORM_LOGO",
    ]);
    const other = await openStory(server);
    const theirs = (await uploadLogo(other)).json.id;
    const gone = (await uploadLogo(story)).json.id;
    await story.call("DELETE", `/documents/${gone}`);
    for (const logoDocument of [theirs, gone]) {
      const answer = await setBranding(story, { name: "A", logoDocument });
      expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
    const foreign = { documentHolder: `PlatformConfig:${other.platformId}` };
    expect((await uploadLogo(story, png(), foreign)).status).toBe(404);
  });

  it("stays as it is for as long as the pages show it", async () => {
    const own = await openStory(server);
    const { logoDocument } = (await brand(own)).json.branding;
    const form = passportForm(undefined, {
      fields: { documentType: "PLATFORM_LOGO" },
      file: { bytes: png({ width: 8, height: 8 }), name: "other.png" },
    });
    const path = `/documents/${logoDocument}`;
    for (const refused of [await own.call("DELETE", path), await own.call("PUT", path, form)]) {
      expect([refused.status, refused.json.code]).toEqual([409, "CONFLICT"]);
      expect(refused.json.message).toContain("branding.logoDocument");
    }
    await setBranding(own, null);
    const paper = passportForm(undefined, { fields: { documentType: "OTHER" } });
    expect((await own.call("PUT", path, paper)).status).toBe(400);
    expect((await own.call("DELETE", path)).status).toBe(204);
  });
});

describe("the pages of a platform with a branding", () => {
  async function branded(more: object = {}) {
    const own = await openStory(server);
    await brand(own, more);
    return own;
  }

  it("show name, logo and colour, under a policy that names exactly them", async () => {
    const own = await branded();
    const page = await open((await invite(own)).url);
    expect(header(page.html)).toContain("<bdi>Lind Pay</bdi>");
    expect(page.html).toContain("· Lind Pay</title>");
    expect(page.html).toContain("--button: #0b6e4f;");
    expect(page.html).not.toMatch(/ style=/);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /style-src 'sha256-\S+' 'sha256-\S+'; script-src 'sha256-\S+'; img-src 'self';/,
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it("give out the logo below the path of a link, as the image that it is", async () => {
    const own = await branded();
    const { url } = await invite(own);
    const home = await linkHomeOf(own, await unverifiedPerson(own));
    for (const page of [url, home]) {
      const path = logoIn((await open(page)).html);
      expect(path.startsWith(new URL(page).pathname)).toBe(true);
      const image = await fetch(at(path));
      expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(Buffer.from(await image.arrayBuffer())).toEqual(png());
      expect(image.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
      expect(image.headers.get("x-content-type-options")).toBe("nosniff");
      expect(image.headers.get("content-security-policy")).toBe(
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      );
      expect(image.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect((await fetch(at(path), { method: "POST" })).status).toBe(405);
    }
  });

  it("give out nothing else there: another digest, an unknown link, a branding of the past", async () => {
    const own = await branded();
    const path = logoIn((await open((await invite(own)).url)).html);
    const foreign = await branded({ logoDocument: (await uploadLogo(own, jpeg())).json.id });
    const { url } = await invite(foreign);
    const digest = path.split("/").at(-1) ?? "";
    for (const odd of [
      path.replace(digest, "0".repeat(64)),
      path.replace(digest, digest.toUpperCase()),
      path.replace(/\/i\/[^/]+/, `/i/${"0".repeat(32)}`),
      path.replace(/\/i\/[^/]+/, "/i/x"),
      `/verify/${"0".repeat(64)}/logo/${digest}`,
      `${new URL(url).pathname}/logo/${digest}`,
    ]) {
      expect([odd, (await open(at(odd))).status]).toEqual([odd, 404]);
    }
    await setBranding(own, { name: "Lind Pay" });
    expect((await open(at(path))).status).toBe(404);
  });

  it("carry it on every page that says no, where the platform is known", async () => {
    const own = await branded();
    const { url, code } = await invite(own);
    const home = await linkHomeOf(own, await unverifiedPerson(own));
    const expectBrand = (page: { html: string; heading: string }, heading: string) => {
      expect([page.heading, header(page.html)?.includes("Lind Pay")]).toEqual([heading, true]);
    };
    expectBrand(await post(url, { "form-token": "x" }), "This form is out of date");
    expectBrand(await open(`${home}/people/x`), "There is nothing here");
    expectBrand(await post(home, {}, { "content-type": "text/plain" }), "We could not read that");
    await cancel(own, code);
    expectBrand(await open(url), "This invitation was cancelled");
    await fill(`${home}/details`, PERSON);
    await upload(`${home}/documents/customer`, PASSPORT);
    const late = await linkHomeOf(own, await unverifiedPerson(own));
    await fill(home, {});
    expectBrand(await open(home), "This link was used");
    await advance(own, 86_500);
    expectBrand(await open(late), "This link has expired");
  });

  it("are as before without a branding, and where no platform is known", async () => {
    const own = await openStory(server);
    expect(header((await open((await invite(own)).url)).html)).toBe("Florin");
    const unknown = await open(at(`/i/${"0".repeat(32)}`));
    expect([unknown.status, header(unknown.html)]).toEqual([404, "Florin"]);
    expect(unknown.headers.get("content-security-policy")).not.toContain("img-src");
  });

  it("show a hostile name as text, in its own direction", async () => {
    const own = await openStory(server);
    await setBranding(own, { name: `${HOSTILE.slice(0, 70)}\u202e` });
    const page = await open(await linkHomeOf(own, await unverifiedPerson(own)));
    expect(page.html).not.toMatch(/<script|<img|\u202e/);
    expect(header(page.html)).toContain("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;");
  });
});
