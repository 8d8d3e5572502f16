/** Shows a reviewer the verifications that wait for a decision, and the documents of one. */
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { documentsOfCustomer } from "../domain/customers/documents/document.sql.ts";
import type { Document } from "../domain/customers/documents/document.ts";
import { toHolderId } from "../domain/customers/documents/document-holder.ts";
import type { MediaType } from "../domain/customers/documents/document-types.ts";
import {
  findVerification,
  openVerifications,
} from "../domain/customers/verification/verification.sql.ts";
import { createSealedFiles, type SealedFiles } from "../secrets/sealed-files.ts";
import { toIso } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import { toWireId } from "../std/ids.ts";
import { atPlatform } from "./at-platform.ts";
import { idOption } from "./options/option-texts.ts";
import { print } from "./print.ts";

const MOST_LISTED = 1_000;

/** `florin verification list`: the oldest first. */
export async function listVerificationsFromShell(
  config: Config,
  options: { readonly platform: string },
): Promise<void> {
  await atPlatform(config, options.platform, async ({ store, platform }) => {
    const found = await openVerifications(store.database.reads, platform.id, MOST_LISTED + 1);
    if (found.length === 0) print("None is open.");
    for (const { verification, name } of found.slice(0, MOST_LISTED)) {
      const { id, customerId, status, createdAt } = verification;
      const ids = `${toWireId("Verification", id)}  ${toWireId("Customer", customerId)}`;
      // A name may contain line ends; JSON quotes keep it on its line.
      print(`${ids}  ${status}  since ${toIso(createdAt)}  ${JSON.stringify(name)}`);
    }
    if (found.length > MOST_LISTED) print("There are more: decide some, and list again.");
  });
}

export interface PapersOptions {
  readonly platform: string;
  readonly verification: string;
  readonly to: string;
}

/** `florin verification papers`: the documents of the customer, and of its owners, as files that only this user reads. */
export async function papersFromShell(config: Config, options: PapersOptions): Promise<void> {
  const verificationId = idOption("--verification", "Verification", options.verification);
  await atPlatform(config, options.platform, async ({ store, platform, surroundings }) => {
    const { reads } = store.database;
    const verification = await findVerification(reads, platform.id, verificationId);
    if (verification === undefined)
      throw new StartRefused(`the platform has no verification ${options.verification}`);
    const papers = await documentsOfCustomer(reads, platform.id, verification.customerId);
    if (papers.length === 0) print("There are no documents.");
    const { database, dataSealer: sealer } = store;
    const files = createSealedFiles({ database, sealer, clock: surroundings.clock });
    try {
      await mkdir(options.to, { recursive: true, mode: 0o700 });
      for (const paper of papers) {
        const path = join(options.to, fileNameOf(paper));
        await writePaper(files, { platformId: platform.id, paper, path });
        print(`${path}  ${factsOf(paper)}`);
      }
    } catch (thrown) {
      if (isOfFiles(thrown)) throw new StartRefused(`--to: ${messageOf(thrown)}`);
      throw thrown;
    } finally {
      await files.close();
    }
  });
}

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
};

function fileNameOf({ id, mediaType }: Document): string {
  return `Document-${id}.${EXTENSIONS[mediaType]}`;
}

function factsOf(paper: Document): string {
  const { documentType, side, country, documentNumber, issuingAuthority } = paper;
  const holder = toHolderId({ kind: paper.holderKind, id: paper.holderId });
  const given = [documentNumber, issuingAuthority].map((text) => JSON.stringify(text ?? ""));
  return [documentType, side, country, ...given, `of ${holder}`].filter(Boolean).join("  ");
}

/** Never overwrites a file; a partly written file is deleted. */
async function writePaper(
  files: SealedFiles,
  of: { readonly platformId: string; readonly paper: Document; readonly path: string },
): Promise<void> {
  const { platformId, paper, path } = of;
  const file = await open(path, "wx", 0o600);
  try {
    let at = 0;
    while (at < paper.fileBytes) {
      const bytes = await files.read({ platformId, fileId: paper.fileId, at });
      if (bytes === undefined || bytes.length === 0)
        throw new StartRefused(`the file of Document:${paper.id} ends too soon`);
      await file.appendFile(bytes);
      at += bytes.length;
    }
  } catch (thrown) {
    await rm(path, { force: true });
    throw thrown;
  } finally {
    await file.close();
  }
}

function isOfFiles(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && "path" in thrown;
}
