import { describe, expect, it } from "vitest";
import { databaseHosts } from "./database-url.ts";

describe("DATABASE_URL", () => {
  it.each([
    ["postgres://db/florin", ["postgres://db/florin"]],
    [
      "postgresql://u:p%40w@db:5433/florin?sslmode=require",
      ["postgresql://u:p%40w@db:5433/florin?sslmode=require"],
    ],
    ["postgres:///florin?host=/run/postgresql", ["postgres:///florin?host=/run/postgresql"]],
    ["postgres://db/florin?target_session_attrs=read-write", ["postgres://db/florin"]],
    [
      "postgres://u:p@a,b/florin?target_session_attrs=primary&sslmode=require",
      ["postgres://u:p@a/florin?sslmode=require", "postgres://u:p@b/florin?sslmode=require"],
    ],
    ["postgres://a:1,b:2/f", ["postgres://a:1/f", "postgres://b:2/f"]],
    ["postgres://a,b:5433/f", ["postgres://a/f", "postgres://b:5433/f"]],
    ["postgres://a:1,b,c:3/f", ["postgres://a:1/f", "postgres://b/f", "postgres://c:3/f"]],
    [
      "postgres://[::1]:5432,[2001:db8::2]/f",
      ["postgres://[::1]:5432/f", "postgres://[2001:db8::2]/f"],
    ],
  ])("%s has the hosts %o", (url, hosts) => {
    expect(databaseHosts(url)).toEqual(hosts);
  });

  it.each([
    ["mysql://db/florin", "must begin with postgres:// or postgresql://"],
    ["postgres://a,/florin", "names a host that is empty"],
    ["postgres://a,b:c/florin", "names a host that is not HOST or HOST:PORT"],
    ["postgres://a,b:0/florin", "names a host that is not HOST or HOST:PORT"],
    ["postgres://a,b:65536/florin", "names a host that is not HOST or HOST:PORT"],
    ["postgres://a,::1/florin", "names a host that is not HOST or HOST:PORT"],
    [
      "postgres://a,b/florin?target_session_attrs=any",
      "has a target_session_attrs other than read-write or primary",
    ],
    [`postgres://${Array(17).fill("a").join(",")}/florin`, "must name at most 16 hosts"],
  ])("%s is refused: %s", (url, complaint) => {
    expect(() => databaseHosts(url)).toThrow(complaint);
  });

  it("is not repeated in a complaint, which may be logged", () => {
    expect(() => databaseHosts("postgres://u:secret@a,b:x/f")).toThrow(/^(?!.*secret)/);
  });
});
