import { describe, expect, it } from "vitest";
import { parsePidFile } from "./pid-file.ts";

const READY =
  "15188\n/data/postgres\n1795258266\n5432\n/tmp/florin-0123\n\n  1234567    98304\nready   \n";

describe("the pid file", () => {
  it("gives the process and whether it accepts connections", () => {
    expect(parsePidFile(READY)).toEqual({
      pid: 15_188,
      isSingleUser: false,
      isReady: true,
      socketDir: "/tmp/florin-0123",
    });
    expect(parsePidFile(READY.replace("ready   ", "starting"))?.isReady).toBe(false);
    expect(parsePidFile("15188\n/data/postgres\n")?.isReady).toBe(false);
  });

  it("recognises a single-user PostgreSQL", () => {
    expect(parsePidFile("-77\n/data/postgres\n")).toEqual({
      pid: 77,
      isSingleUser: true,
      isReady: false,
      socketDir: "",
    });
  });

  it.each(["", "\n", "0\n", "x\n", "12a\n", "-\n"])(
    "names no process when it contains %j",
    (text) => {
      expect(parsePidFile(text)).toBeUndefined();
    },
  );
});
