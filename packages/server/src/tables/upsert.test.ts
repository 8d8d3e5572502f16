import { describe, expect, it } from "vitest";
import { defineUpsert } from "./upsert.ts";

interface Count {
  readonly name: string;
  readonly by: number;
}

const add = defineUpsert<Count>({
  name: "counts/add",
  table: "counts",
  columns: [
    { key: "name", name: "name", type: "text" },
    { key: "by", name: "total", type: "int4" },
  ],
  onConflict: "(platform_id, name) do update set total = counts.total + excluded.total",
});

const stepsOf = (count: number) =>
  add(
    "p",
    Array.from({ length: count }, (_, index) => ({ name: `${index}`, by: 1 })),
  );

describe("an upsert", () => {
  it.each([
    [0, []],
    [1, ["counts/add-1"]],
    [8, ["counts/add-8"]],
    [9, ["counts/add-8", "counts/add-1"]],
    [24, ["counts/add-8", "counts/add-8", "counts/add-8"]],
    [25, ["counts/add"]],
    [1_000, ["counts/add"]],
  ])("of %i rows is the statements %j", (count, names) => {
    expect(stepsOf(count).map(({ statement }) => statement.name)).toEqual(names);
  });

  it("has a parameter for the platform and one for each cell", () => {
    expect(stepsOf(2)).toMatchObject([
      {
        statement: {
          text:
            "insert into counts (platform_id, name, total) values ($1::uuid, $2::text, $3::int4), ($1::uuid, $4::text, $5::int4) " +
            "on conflict (platform_id, name) do update set total = counts.total + excluded.total",
        },
        parameters: { length: 5 },
      },
    ]);
    expect(stepsOf(25)[0]).toMatchObject({
      statement: {
        text: expect.stringContaining("unnest($2::text[], $3::int4[]) x(name, total)"),
      },
      parameters: { length: 3 },
    });
  });
});
