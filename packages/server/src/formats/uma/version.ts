/**
 * The versions of the protocol that this server speaks: 1.0 alone. In 0.x the amount of a pay request is a bare number, which libraries read
 * in different units, and its answers are not signed.
 */
import { Members } from "./members.ts";
import { MessageFault } from "./message-fault.ts";

export const UMA_VERSION = "1.0";
export const UMA_MAJOR = 1;

const VERSION = /^(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})$/;

interface Version {
  readonly major: number;
  readonly minor: number;
}

function versionOf(text: string): Version | undefined {
  const [, major, minor] = VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return { major: Number.parseInt(major, 10), minor: Number.parseInt(minor, 10) };
}

/** Whether a request of this version can be answered. A higher minor version is answered with ours. */
export function isVersionAnswered(text: string): boolean {
  return versionOf(text)?.major === UMA_MAJOR;
}

/** Whether an answer to a request of ours may have this version: ours, never a lower major or a higher minor one. */
export function isVersionAccepted(text: string): boolean {
  return text === UMA_VERSION;
}

export interface UnsupportedVersion {
  readonly status: "ERROR";
  readonly code: "UNSUPPORTED_UMA_VERSION";
  readonly reason: string;
  readonly unsupportedVersion: string;
  readonly supportedMajorVersions: readonly number[];
}

/** The body of a 412. */
export function unsupportedVersion(asked: string): UnsupportedVersion {
  return {
    status: "ERROR",
    code: "UNSUPPORTED_UMA_VERSION",
    reason: `Version ${UMA_VERSION} is spoken here.`,
    unsupportedVersion: asked,
    supportedMajorVersions: [UMA_MAJOR],
  };
}

const MOST_VERSIONS = 20;
const LARGEST_MAJOR = 99_999n;

/** Reads a 412 of another institution. Throws NO_COMPATIBLE_UMA_VERSION unless our major version is among those that it speaks. */
export function readUnsupportedVersion(bytes: Uint8Array): void {
  const body = Members.of(bytes, "UNSUPPORTED_UMA_VERSION");
  const majors = body.wholes("supportedMajorVersions", MOST_VERSIONS, LARGEST_MAJOR);
  if (!majors.includes(BigInt(UMA_MAJOR))) {
    throw new MessageFault(
      "NO_COMPATIBLE_UMA_VERSION",
      `the other side speaks the major versions ${majors.join(", ") || "none"}`,
    );
  }
}
