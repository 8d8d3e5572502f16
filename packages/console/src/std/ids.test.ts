import { describe, expect, it } from "vitest";
import { placeOf, readId, shortId } from "./ids.ts";

const UUID = "019a4f00-0000-7000-8000-000000000001";

describe("an id", () => {
  it.each([
    [`Transaction:${UUID}`, `payments/Transaction:${UUID}`],
    [` Customer:${UUID} `, `customers/Customer:${UUID}`],
    [`WebhookDelivery:${UUID}.${UUID}`, `deliveries/WebhookDelivery:${UUID}.${UUID}`],
    [`Lookup:${UUID}`, undefined],
    [UUID, undefined],
    [`Transaction:${UUID}/../x`, undefined],
    ["javascript:alert(1)", undefined],
  ])("%j leads to %s", (id, place) => {
    expect(placeOf(id)).toBe(place);
  });

  it("is shown by its end, and other text as it is", () => {
    expect(shortId(`Customer:${UUID}`)).toBe("000001");
    expect(shortId("none")).toBe("none");
    expect(readId(`Customer:${UUID}`)).toEqual({ kind: "Customer", uuid: UUID });
  });
});
