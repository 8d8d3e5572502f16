import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { randomIds } from "../../../src/std/ids.ts";
import { formOf, PDF, passportForm } from "../../kit/forms.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
let holder: string;

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  holder = await customer();
});
afterAll(() => server.close());

async function customer(): Promise<string> {
  const made = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    currencies: ["USD"],
  });
  return made.json.id;
}

async function count(sql: string, values: readonly unknown[] = []): Promise<number> {
  const found = await server.app.store.database.withClient((client) =>
    client.query<{ count: string }>(sql, [...values]),
  );
  return Number(found.rows[0]?.count);
}

/** Once those of files that no document has are taken away, for which no caller waits. */
async function chunks(): Promise<number> {
  const unowned =
    "select count(*) from file_chunks f where not exists " +
    "(select from documents d where d.platform_id = f.platform_id and d.file_id = f.file_id)";
  await soon(async () => expect(await count(unowned)).toBe(0));
  return count("select count(*) from file_chunks");
}
const unknown = (kind: string) => `${kind}:${randomIds().next(systemClock.now())}`;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]);

describe("a document", () => {
  it("is returned as it was sent, without its file", async () => {
    const fields = { side: "FRONT", documentNumber: "C01X00T47", issuingAuthority: "State" };
    const made = await story.call("POST", "/documents", passportForm(holder, { fields }));
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^Document:[0-9a-f-]{36}$/),
      documentHolder: holder,
      documentType: "PASSPORT",
      country: "US",
      ...fields,
      fileName: "passport.pdf",
      createdAt: expect.any(String),
      updatedAt: made.json.createdAt,
    });
    expect((await story.call("GET", `/documents/${made.json.id}`)).text).toBe(made.text);
  });

  it("leaves out what was not sent", async () => {
    const made = await story.call("POST", "/documents", passportForm(holder));
    for (const name of ["side", "documentNumber", "issuingAuthority"]) {
      expect(made.json).not.toHaveProperty(name);
    }
  });

  it("can be of another type", async () => {
    const form = passportForm(await customer(), { fields: { documentType: "SELFIE" } });
    const made = await story.call("POST", "/documents", form);
    expect([made.status, made.json.documentType]).toEqual([201, "SELFIE"]);
  });

  it.each([
    ["a PNG", PNG],
    ["a PDF of one line", PDF],
    ["a PDF of three chunks", Buffer.concat([PDF, Buffer.alloc(600_000, 7)])],
    ["a PDF of exactly one chunk", Buffer.concat([PDF, Buffer.alloc(256 * 1024 - PDF.length)])],
    ["a PDF of 10 MB", Buffer.concat([PDF, Buffer.alloc(10 * 1024 ** 2 - PDF.length)])],
  ])("can be %s, whatever its name and its announced type are", async (_name, bytes) => {
    const before = await chunks();
    const whose = await customer();
    const file = { bytes, name: "x.exe", type: "text/html" };
    const made = await story.call("POST", "/documents", passportForm(whose, { file }));
    expect(made.status).toBe(201);
    expect((await chunks()) - before).toBe(Math.ceil(bytes.length / (256 * 1024)));
  });

  it("is kept so that nothing of its file can be read in the database", async () => {
    const canary = "CANARY-5d1c0e9a-THIS-MUST-NOT-BE-READ";
    const bytes = Buffer.concat([PDF, Buffer.from(canary.repeat(20_000))]);
    const made = await story.call("POST", "/documents", passportForm(holder, { file: { bytes } }));
    const kept = await server.app.store.database.withClient(async (client) => {
      const tables = await client.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = current_schema()",
      );
      const found: string[] = [];
      for (const { name } of tables.rows) {
        const rows = await client.query<{ text: string }>(
          `select count(*) as text from ${name} t where t::text like $1 or t::text like $2`,
          ["%CANARY-5d1c%", `%${Buffer.from("CANARY-5d1c").toString("hex")}%`],
        );
        if (rows.rows[0]?.text !== "0") found.push(name);
      }
      return found;
    });
    expect(kept).toEqual([]);
    const rows = await server.app.store.database.withClient((client) =>
      client.query<{ file_id: string; file_bytes: string }>(
        "select file_id, file_bytes from documents where id = $1",
        [made.json.id.split(":")[1]],
      ),
    );
    expect(Number(rows.rows[0]?.file_bytes)).toBe(bytes.length);
  });
});

describe("an upload", () => {
  it("names every bad field at once", async () => {
    const form = formOf(
      {
        documentType: "NOVEL",
        country: "usa",
        side: "TOP",
        documentNumber: "",
        issuingAuthority: "x".repeat(256),
      },
      { bytes: "plain text", name: "passport.pdf" },
    );
    const answer = await story.call("POST", "/documents", form);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    const fields = answer.json.details.errors.map(({ field }: { field: string }) => field);
    expect(new Set(fields)).toEqual(
      new Set([
        "file",
        "documentHolder",
        "documentType",
        "country",
        "side",
        "documentNumber",
        "issuingAuthority",
      ]),
    );
  });

  it("treats a blank number or issuer as absent", async () => {
    const fields = { documentNumber: " ", issuingAuthority: "\u00a0" };
    const answer = await story.call("POST", "/documents", passportForm(holder, { fields }));
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors).toEqual(
      ["documentNumber", "issuingAuthority"].map((field) =>
        expect.objectContaining({ field, message: "must not be blank" }),
      ),
    );
  });

  it("without any part gets an error for each missing one", async () => {
    const answer = await story.call("POST", "/documents", new FormData());
    const fields = answer.json.details.errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(["country", "documentHolder", "documentType", "file"]);
  });

  const zip = Buffer.from("PK\u0003\u0004 and then a zip, which nobody unpacks", "latin1");
  it.each([
    ["empty", Buffer.alloc(0)],
    ["a zip", zip],
    [
      "one byte more than 10 MB",
      Buffer.concat([PDF, Buffer.alloc(10 * 1024 ** 2 - PDF.length + 1)]),
    ],
    ["15 MB", Buffer.concat([PDF, Buffer.alloc(15 * 1024 ** 2)])],
  ])("of a file that is %s is refused and leaves nothing behind", async (_name, bytes) => {
    const before = await chunks();
    const answer = await story.call(
      "POST",
      "/documents",
      passportForm(holder, { file: { bytes } }),
    );
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors).toMatchObject([{ field: "file" }]);
    expect(await chunks()).toBe(before);
  });

  it("keeps a file whose beginning is one thing and whose end another, unopened", async () => {
    const file = { bytes: Buffer.concat([PDF, zip]), name: "both.zip" };
    expect((await story.call("POST", "/documents", passportForm(holder, { file }))).status).toBe(
      201,
    );
  });

  it("shows of a file's name what stands behind the last slash", async () => {
    const file = { bytes: PDF, name: "C:\\docs\\..\\my passport.pdf" };
    const made = await story.call("POST", "/documents", passportForm(holder, { file }));
    expect(made.json.fileName).toBe("my passport.pdf");
  });

  it.each([
    ["an unknown customer", () => unknown("Customer"), 404, "USER_NOT_FOUND"],
    ["no id", () => "ana", 404, "REFERENCE_NOT_FOUND"],
  ])("for %s is refused and leaves nothing behind", async (_name, id, status, code) => {
    const before = await chunks();
    const answer = await story.call("POST", "/documents", passportForm(id()));
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await chunks()).toBe(before);
  });

  it("for another platform's customer is refused as for an unknown one", async () => {
    const other = await openStory(server);
    const answer = await other.call("POST", "/documents", passportForm(holder));
    expect([answer.status, answer.json.code]).toEqual([404, "USER_NOT_FOUND"]);
  });

  it("for a deleted customer is refused", async () => {
    const gone = await customer();
    await story.call("DELETE", `/customers/${gone}`);
    const answer = await story.call("POST", "/documents", passportForm(gone));
    expect([answer.status, answer.json.code]).toEqual([410, "CUSTOMER_DELETED"]);
  });

  it("under a key happens once, and its bytes are kept once", async () => {
    const whose = await customer();
    const before = await chunks();
    const first = await story.call("POST", "/documents", passportForm(whose), { key: "doc-1" });
    const again = await story.call("POST", "/documents", passportForm(whose), { key: "doc-1" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await chunks()) - before).toBe(1);
    const list = await story.call("GET", `/documents?documentHolder=${whose}`);
    expect(list.json.totalCount).toBe(1);
  });

  it.each([
    ["another file", { file: { bytes: Buffer.concat([PDF, PDF]), name: "passport.pdf" } }],
    ["another name", { file: { bytes: PDF, name: "other.pdf" } }],
    ["another field", { fields: { side: "BACK" } }],
  ])("under a used key with %s is refused", async (name, change) => {
    const key = `doc-${name.replaceAll(" ", "-")}`;
    await story.call("POST", "/documents", passportForm(holder), { key });
    const other = await story.call("POST", "/documents", passportForm(holder, change), { key });
    expect([other.status, other.json.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });
});

describe("a replaced document", () => {
  it("is another in all but its id and its holder, and the first file is erased", async () => {
    const fields = { side: "FRONT", documentNumber: "1" };
    const made = await story.call("POST", "/documents", passportForm(holder, { fields }));
    await story.settle();
    const before = await chunks();
    const form = formOf(
      { documentType: "NATIONAL_ID", country: "DE", documentHolder: unknown("Customer") },
      { bytes: PNG, name: "id.png" },
    );
    const put = await story.call("PUT", `/documents/${made.json.id}`, form);
    expect(put.status).toBe(200);
    expect(put.json).toEqual({
      id: made.json.id,
      documentHolder: holder,
      documentType: "NATIONAL_ID",
      country: "DE",
      fileName: "id.png",
      createdAt: made.json.createdAt,
      updatedAt: expect.any(String),
    });
    expect((await story.call("GET", `/documents/${made.json.id}`)).text).toBe(put.text);
    await story.settle();
    expect(await chunks()).toBe(before);
  });

  it("that does not exist is refused and leaves nothing behind", async () => {
    const before = await chunks();
    const answer = await story.call(
      "PUT",
      `/documents/${unknown("Document")}`,
      passportForm(undefined),
    );
    expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    expect(await chunks()).toBe(before);
  });

  it("of a deleted customer is refused and leaves nothing behind", async () => {
    const gone = await customer();
    const made = await story.call("POST", "/documents", passportForm(gone));
    await story.call("DELETE", `/customers/${gone}`);
    const before = await chunks();
    const answer = await story.call("PUT", `/documents/${made.json.id}`, passportForm(undefined));
    expect([answer.status, answer.json.code]).toEqual([410, "CUSTOMER_DELETED"]);
    expect(await chunks()).toBe(before);
  });

  it("keeps what it was when the new one is refused", async () => {
    const made = await story.call("POST", "/documents", passportForm(holder));
    const bad = passportForm(undefined, { file: { bytes: "no" } });
    expect((await story.call("PUT", `/documents/${made.json.id}`, bad)).status).toBe(400);
    expect((await story.call("GET", `/documents/${made.json.id}`)).text).toBe(made.text);
  });
});

describe("a deleted document", () => {
  it("is gone, and so is its file", async () => {
    const made = await story.call("POST", "/documents", passportForm(holder));
    await story.settle();
    const before = await chunks();
    const path = `/documents/${made.json.id}`;
    expect((await story.call("DELETE", path)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) {
      const answer = await story.call(method, path);
      expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
    expect((await story.call("PUT", path, passportForm(undefined))).status).toBe(404);
    await story.settle();
    expect(await chunks()).toBe(before - 1);
    const list = await story.call("GET", `/documents?documentHolder=${holder}&limit=100`);
    expect(list.text).not.toContain(made.json.id);
  });
});

const OWNER = {
  roles: ["UBO"],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: "Mara",
    lastName: "Lind",
    birthDate: "1980-04-05",
    nationality: "US",
    address: { line1: "1 Main St", postalCode: "62701", country: "US" },
    idType: "SSN",
    identifier: "123-45-6789",
  },
};

async function businessWithOwner(): Promise<{ readonly business: string; readonly owner: string }> {
  const business = await story.call("POST", "/customers", {
    customerType: "BUSINESS",
    businessInfo: {
      legalName: "Lind Boats LLC",
      country: "US",
      taxId: "1",
      incorporatedOn: "2015-06-01",
      registrationNumber: "7700100",
    },
  });
  const owner = await story.call("POST", "/beneficial-owners", {
    ...OWNER,
    customerId: business.json.id,
  });
  return { business: business.json.id, owner: owner.json.id };
}

describe("a document of an owner", () => {
  it("is held by the owner", async () => {
    const { owner } = await businessWithOwner();
    const made = await story.call("POST", "/documents", passportForm(owner));
    expect([made.status, made.json.documentHolder]).toEqual([201, owner]);
    const list = await story.call("GET", `/documents?documentHolder=${owner}`);
    expect(list.json.data).toEqual([made.json]);
  });

  it("is refused for an unknown owner, and for one whose business was deleted", async () => {
    const unknownOwner = await story.call(
      "POST",
      "/documents",
      passportForm(unknown("BeneficialOwner")),
    );
    expect([unknownOwner.status, unknownOwner.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    const { business, owner } = await businessWithOwner();
    await story.call("DELETE", `/customers/${business}`);
    const answer = await story.call("POST", "/documents", passportForm(owner));
    expect([answer.status, answer.json.code]).toEqual([410, "CUSTOMER_DELETED"]);
  });
});

const SUBMITTED_PERSON = {
  customerType: "INDIVIDUAL",
  fullName: "Ana Ruiz 001",
  birthDate: "1991-02-03",
  nationality: "US",
  idType: "SSN",
  identifier: "123-45-6789",
  address: { line1: "1 Main St", postalCode: "62701", country: "US" },
};
const FILE = { bytes: PNG, name: "id.png" };

describe("a document that a verification uses", () => {
  it("makes the submission complete, and cannot be deleted any more", async () => {
    const person = await story.call("POST", "/customers", SUBMITTED_PERSON);
    const submit = () => story.call("POST", "/verifications", { customerId: person.json.id });
    expect((await submit()).json).toMatchObject({
      verificationStatus: "RESOLVE_ERRORS",
      errors: [{ type: "MISSING_IDENTITY_DOCUMENT" }],
    });
    const fields = { documentNumber: "C01X00T47", issuingAuthority: "State" };
    const [first, second] = [
      await story.call("POST", "/documents", passportForm(person.json.id)),
      await story.call("POST", "/documents", passportForm(person.json.id, { fields })),
    ];
    expect((await story.call("DELETE", `/documents/${first.json.id}`)).status).toBe(204);
    expect((await submit()).json).toMatchObject({ verificationStatus: "PENDING_MANUAL_REVIEW" });
    const refused = await story.call("DELETE", `/documents/${second.json.id}`);
    expect([refused.status, refused.json.code]).toEqual([409, "CONFLICT"]);
    expect((await story.call("GET", `/documents/${second.json.id}`)).status).toBe(200);
  });

  it("stays when it is replaced: its file is kept, and it still cannot be deleted", async () => {
    const whose = await story.call("POST", "/customers", SUBMITTED_PERSON);
    const fields = { documentNumber: "C01X00T47", issuingAuthority: "State" };
    const made = await story.call("POST", "/documents", passportForm(whose.json.id, { fields }));
    const submitted = await story.call("POST", "/verifications", { customerId: whose.json.id });
    expect(submitted.json.verificationStatus).toBe("PENDING_MANUAL_REVIEW");
    await story.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    const before = await chunks();
    const path = `/documents/${made.json.id}`;
    for (const documentType of ["NATIONAL_ID", "PASSPORT"]) {
      const put = await story.call("PUT", path, formOf({ documentType, country: "DE" }, FILE));
      expect([put.status, put.json.id]).toEqual([200, made.json.id]);
      await story.settle();
      // Of what was put in its place after the submission, only the last file is kept.
      expect((await chunks()) - before).toBe(1);
    }
    const refused = await story.call("DELETE", path);
    expect([refused.status, refused.json.code]).toEqual([409, "CONFLICT"]);
    const list = await story.call("GET", `/documents?documentHolder=${whose.json.id}`);
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([made.json.id]);
    const kept = "select count(*) from documents where superseded_by = $1";
    expect(await count(kept, [made.json.id.split(":")[1]])).toBe(1);
  });

  it("may be an owner's", async () => {
    const { business, owner } = await businessWithOwner();
    const made = await story.call("POST", "/documents", passportForm(owner));
    const submitted = await story.call("POST", "/verifications", { customerId: business });
    expect(submitted.json.verificationStatus).toBe("APPROVED");
    const refused = await story.call("DELETE", `/documents/${made.json.id}`);
    expect([refused.status, refused.json.code]).toEqual([409, "CONFLICT"]);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    const later = await story.call("POST", "/documents", passportForm(owner));
    expect((await story.call("DELETE", `/documents/${later.json.id}`)).status).toBe(204);
  });
});

describe("the list of documents", () => {
  it("is of one holder, newest first, in pages", async () => {
    const whose = await customer();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      ids.unshift((await story.call("POST", "/documents", passportForm(whose))).json.id);
    }
    const first = await story.call("GET", `/documents?documentHolder=${whose}&limit=2`);
    expect(first.json).toMatchObject({ hasMore: true, totalCount: 3 });
    const next = encodeURIComponent(first.json.nextCursor);
    const second = await story.call(
      "GET",
      `/documents?documentHolder=${whose}&limit=2&cursor=${next}`,
    );
    const listed = [...first.json.data, ...second.json.data].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids);
  });
});
