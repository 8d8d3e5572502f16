/** Which document each holder may have, in which order an upload or a replacement is refused, and what a file is. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { customer, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { owner as someOwner } from "../../../../test/kit/verification-rows.ts";
import { platforms } from "../../platform.ts";
import { beneficialOwners } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers } from "../customer.ts";
import { type Document, type DocumentContent, documents, recordFileDropped } from "./document.ts";
import { deleteDocument, replaceDocument, uploadDocument } from "./document-commands.ts";
import { type HolderKind, holderOf, toHolderId } from "./document-holder.ts";
import { documentTypes, type MediaType, mediaTypeOf, PLATFORM_LOGO } from "./document-types.ts";
import { MOST_LOGO_BYTES } from "./logo-rules.ts";

const idOf = (place: number) => `018f0000-0000-7000-8000-${String(place).padStart(12, "0")}`;
const [OWNER, DOCUMENT, FILE] = [idOf(60), idOf(61), idOf(62)];

const passport: DocumentContent = {
  documentType: "PASSPORT",
  side: null,
  country: "US",
  documentNumber: null,
  issuingAuthority: null,
  fileName: "a.pdf",
  fileId: FILE,
  fileBytes: 9,
  mediaType: "application/pdf",
};
const logo: DocumentContent = { ...passport, documentType: PLATFORM_LOGO, mediaType: "image/png" };
const holderIds = {
  Customer: customer.id,
  BeneficialOwner: OWNER,
  PlatformConfig: PLATFORM,
} as const;
const kinds = ["Customer", "BeneficialOwner", "PlatformConfig"] as const;

interface Case {
  readonly kind?: HolderKind;
  readonly holderId?: string;
  readonly content?: DocumentContent;
  readonly customers?: readonly Customer[];
  readonly hasOwner?: boolean;
  /** How many documents the holder has. */
  readonly count?: number;
  /** The document that is replaced or deleted. */
  readonly document?: Partial<Document> | null;
  readonly isShownLogo?: boolean;
}

const heldBy = (kind: HolderKind, id: string, more: Partial<Document> = {}): Document => ({
  ...(kind === "PlatformConfig" ? logo : passport),
  id,
  holderKind: kind,
  holderId: holderIds[kind],
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  supersededBy: null,
  ...more,
});

function tablesIn(scene: Case) {
  const {
    kind = "Customer",
    count = 0,
    document = {},
    hasOwner = true,
    isShownLogo = false,
  } = scene;
  const shown = {
    documentId: DOCUMENT,
    fileId: FILE,
    mediaType: "image/png",
    digest: "d",
    width: 1,
    height: 1,
  } as const;
  const own = Array.from({ length: count }, (_, place) => heldBy(kind, idOf(200 + place)));
  return [
    rowsOf(platforms, {
      ...platform,
      branding: isShownLogo ? { name: "p", color: null, logo: shown } : null,
    }),
    rowsOf(customers, ...(scene.customers ?? [customer])),
    rowsOf(
      beneficialOwners,
      ...(hasOwner ? [someOwner({ id: OWNER, customerId: customer.id })] : []),
    ),
    rowsOf(documents, ...own, ...(document === null ? [] : [heldBy(kind, DOCUMENT, document)])),
  ];
}

const contentOf = ({
  kind = "Customer",
  content = kind === "PlatformConfig" ? logo : passport,
}: Case) => content;

function upload(scene: Case) {
  const { kind = "Customer", holderId = holderIds[kind] } = scene;
  const input = { holder: { kind, id: holderId }, content: contentOf(scene) };
  const tables = tablesIn({ document: null, ...scene });
  return decided({ command: uploadDocument, input, platformId: PLATFORM, tables });
}

function replace(scene: Case) {
  const input = { documentId: DOCUMENT, content: { ...contentOf(scene), fileId: idOf(63) } };
  return decided({
    command: replaceDocument,
    input,
    platformId: PLATFORM,
    tables: tablesIn(scene),
  });
}

const remove = (scene: Case) =>
  decided({
    command: deleteDocument,
    input: { documentId: DOCUMENT },
    platformId: PLATFORM,
    tables: tablesIn(scene),
  });

const deleted = [{ ...customer, deletedAt: 7 }];
const webp: DocumentContent = { ...passport, mediaType: "image/webp" };
const UNKNOWN = { Customer: "USER_NOT_FOUND", BeneficialOwner: "REFERENCE_NOT_FOUND" } as const;

describe.each(["Customer", "BeneficialOwner"] as const)("a document of the kind %s", (kind) => {
  const refusals = [
    [UNKNOWN[kind], { customers: [] }],
    ...(kind === "BeneficialOwner" ? [["REFERENCE_NOT_FOUND", { hasOwner: false }] as const] : []),
    ["CUSTOMER_DELETED", { customers: deleted }],
    ["INVALID_INPUT", { content: webp }],
  ] as const;

  it.each(inOrder<Case>([...refusals, ["CONFLICT", { count: 100 }]]))(
    "is not uploaded: %s, %s",
    (expected, _how, scene) => {
      expect(named(upload({ kind, ...scene }).refusal)).toBe(expected);
    },
  );

  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { document: null }],
      ["REFERENCE_NOT_FOUND", { document: { deletedAt: 7 } }],
      ...refusals,
    ]),
  )("is not replaced: %s, %s", (expected, _how, scene) => {
    expect(named(replace({ kind, ...scene }).refusal)).toBe(expected);
  });

  it("is the last of a hundred, of that holder alone", () => {
    expect(upload({ kind, count: 99 }).output).toMatchObject({
      holderKind: kind,
      holderId: holderIds[kind],
      ...passport,
      createdAt: DECIDED_AT,
      deletedAt: null,
      supersededBy: null,
    });
    expect(upload({ kind, count: 99, document: {} }).refusal?.details).toMatchObject({ most: 100 });
    expect(upload({ kind, count: 99, document: { deletedAt: 7 } }).refusal).toBeUndefined();
    expect(upload({ kind, count: 99, document: { holderId: idOf(9) } }).refusal).toBeUndefined();
  });
});

describe("a document of the platform", () => {
  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { holderId: idOf(9) }],
      ["INVALID_INPUT", { content: passport }],
      ["CONFLICT", { count: 100 }],
    ]),
  )("is not uploaded: %s, %s", (expected, _how, scene) => {
    expect(named(upload({ kind: "PlatformConfig", ...scene }).refusal)).toBe(expected);
  });

  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { document: null }],
      ["INVALID_INPUT documentType", { content: passport }],
      ["CONFLICT branding.logoDocument", { isShownLogo: true }],
    ]),
  )("is not replaced: %s, %s", (expected, _how, scene) => {
    expect(named(replace({ kind: "PlatformConfig", ...scene }).refusal, "field")).toBe(expected);
  });

  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { document: null }],
      ["REFERENCE_NOT_FOUND", { document: { deletedAt: 7 } }],
      ["CONFLICT branding.logoDocument", { isShownLogo: true }],
    ]),
  )("is not deleted: %s, %s", (expected, _how, scene) => {
    expect(named(remove({ kind: "PlatformConfig", ...scene }).refusal, "field")).toBe(expected);
  });

  it("is there without a customer, and is replaced and deleted while no page shows it", () => {
    const scene = { kind: "PlatformConfig", customers: [] } as const;
    expect(upload(scene).refusal).toBeUndefined();
    expect(replace(scene).output).toMatchObject({ id: DOCUMENT, fileId: idOf(63) });
    const gone = remove(scene);
    expect(gone.output).toMatchObject({ deletedAt: DECIDED_AT });
    expect(gone.world.jobs.map(({ kind, payload }) => [kind, payload])).toEqual([
      ["drop-file", { fileId: FILE }],
    ]);
    expect(written(gone.world, documents)).toHaveLength(1);
  });
});

const media = ["application/pdf", "image/jpeg", "image/png", "image/webp"] as const;

describe("what a document may be", () => {
  it.each(kinds.flatMap((kind) => documentTypes.map((type) => [kind, type] as const)))(
    "for %s: %s",
    (kind, documentType) => {
      const fits = (documentType === PLATFORM_LOGO) === (kind === "PlatformConfig");
      const content = { ...passport, documentType, mediaType: "image/png" } as const;
      expect(named(upload({ kind, content }).refusal)).toBe(fits ? "decided" : "INVALID_INPUT");
    },
  );

  it.each(media.flatMap((mediaType) => kinds.map((kind) => [mediaType, kind] as const)))(
    "a file of the type %s for %s",
    (mediaType, kind) => {
      const isLogo = kind === "PlatformConfig";
      const fits = mediaType !== (isLogo ? "application/pdf" : "image/webp");
      const content = { ...(isLogo ? logo : passport), mediaType };
      expect(named(upload({ kind, content }).refusal)).toBe(fits ? "decided" : "INVALID_INPUT");
    },
  );

  it.each<[HolderKind, number, boolean]>([
    ["PlatformConfig", MOST_LOGO_BYTES, true],
    ["PlatformConfig", MOST_LOGO_BYTES + 1, false],
    ["Customer", MOST_LOGO_BYTES + 1, true],
    ["BeneficialOwner", MOST_LOGO_BYTES + 1, true],
  ])("for %s a file of %i bytes: %s", (kind, fileBytes, fits) => {
    const content = { ...(kind === "PlatformConfig" ? logo : passport), fileBytes };
    expect(upload({ kind, content }).refusal === undefined).toBe(fits);
  });

  it("is told with all that is wrong", () => {
    const content = {
      ...logo,
      mediaType: "application/pdf",
      fileBytes: MOST_LOGO_BYTES + 1,
    } as const;
    const errors: unknown = upload({ content }).refusal?.details?.errors;
    expect(errors).toMatchObject([{ field: "documentType" }, { field: "file" }, { field: "file" }]);
  });
});

describe("the beginning of a file", () => {
  const webpBytes = (size: string) => Buffer.from(`RIFF${size}WEBPVP8 `, "latin1");

  it.each<[string, Buffer, MediaType | undefined]>([
    ["of a PDF", Buffer.from("%PDF-1.7"), "application/pdf"],
    ["of a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"],
    ["of a PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), "image/png"],
    ["of a WebP", webpBytes("\x01\x02\x03\x04"), "image/webp"],
    ["of a WebP of another size", webpBytes("WEBP"), "image/webp"],
    ["of a PDF with a byte before it", Buffer.from("\n%PDF-1.7"), undefined],
    ["of a PDF in small letters", Buffer.from("%pdf-1.7"), undefined],
    ["of another RIFF file", Buffer.from("RIFF1234WAVE"), undefined],
    ["of WEBP without RIFF", Buffer.from("RIFX1234WEBP"), undefined],
    ["of half a PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47]), undefined],
    [
      "of all but one byte of a PNG",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a]),
      undefined,
    ],
    ["of two bytes of a JPEG", Buffer.from([0xff, 0xd8]), undefined],
    ["of nothing", Buffer.alloc(0), undefined],
    ["of text", Buffer.from("hello"), undefined],
    ["of a page", Buffer.from("<!doctype html>"), undefined],
    ["of a zip", Buffer.from("PK\u0003\u0004", "latin1"), undefined],
    ["of a script before a PDF", Buffer.from("<script>alert(1)</script>%PDF-1.7"), undefined],
    ["of a zip before a PDF", Buffer.from("PK\u0003\u0004%PDF-1.7", "latin1"), undefined],
    ["of a GIF", Buffer.from("GIF89a"), undefined],
    ["of an SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), undefined],
  ])("%s is known by its magic number", (_what, bytes, expected) => {
    expect(mediaTypeOf(bytes)).toBe(expected);
  });
});

describe("a holder", () => {
  it.each(kinds)("of the kind %s is known by its id", (kind) => {
    const wireId = `${kind}:${holderIds[kind]}`;
    expect(holderOf(wireId)).toEqual({ kind, id: holderIds[kind] });
    expect(toHolderId({ kind, id: holderIds[kind] })).toBe(wireId);
  });

  it.each([
    "",
    "Customer:",
    "Customer:x",
    `Agent:${OWNER}`,
    `Token:${OWNER}`,
    OWNER,
    `customer:${OWNER}`,
    `Customer:${OWNER} `,
  ])("is not named by %j", (text) => {
    expect(holderOf(text)).toBeUndefined();
  });
});

it("the job of a file whose chunks are gone ends, and changes nothing else", () => {
  const input = { jobId: idOf(70) };
  const { world } = decided({
    command: recordFileDropped,
    input,
    platformId: PLATFORM,
    tables: [],
  });
  expect([world.cancelledJobs, world.dirty.size]).toEqual([[idOf(70)], 0]);
});
