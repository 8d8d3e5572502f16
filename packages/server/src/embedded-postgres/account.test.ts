import { describe, expect, it } from "vitest";
import { chooseAccount } from "./account.ts";

const ROOT = "root:x:0:0:root:/root:/bin/bash";
const NOBODY = "nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin";
const POSTGRES = "postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash";

describe("the account for PostgreSQL", () => {
  it("is the account postgres when there is one", () => {
    expect(chooseAccount([ROOT, NOBODY, POSTGRES].join("\n"))).toEqual({
      name: "postgres",
      uid: 101,
      gid: 104,
    });
  });

  it("is the user nobody otherwise", () => {
    expect(chooseAccount([ROOT, NOBODY].join("\n"))).toEqual({
      name: "nobody",
      uid: 65_534,
      gid: 65_533,
    });
    expect(chooseAccount("")).toEqual({ name: "nobody", uid: 65_534, gid: 65_534 });
  });

  it("reads an id that is written as a negative number", () => {
    const apple = "nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false";
    expect(chooseAccount(apple)).toEqual({
      name: "nobody",
      uid: 4_294_967_294,
      gid: 4_294_967_294,
    });
  });

  it("is never root, also under another name", () => {
    expect(chooseAccount(`postgres:x:0:0:::\n${NOBODY}`).name).toBe("nobody");
  });
});
