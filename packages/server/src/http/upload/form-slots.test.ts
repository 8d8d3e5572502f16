import { describe, expect, it } from "vitest";
import { createFormSlots } from "./form-slots.ts";

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a slot for a form", () => {
  it("is free again once it is released", () => {
    const slots = createFormSlots({ forms: 1, formsOfPlatform: 1 });
    const slot = slots.take("a");
    expect(() => slots.take("a")).toThrow("Too many requests.");
    expect(() => slots.take("b")).toThrow("too many forms are being read");
    slot.release();
    expect(() => slots.take("b")).not.toThrow();
  });

  it.each(["done", "failed"])("is free only when what holds it is %s", async (end) => {
    const slots = createFormSlots({ forms: 2, formsOfPlatform: 1 });
    const slot = slots.take("a");
    let settleWork: () => void = () => undefined;
    slot.hold(
      new Promise((resolve, reject) => {
        settleWork = () => (end === "done" ? resolve(undefined) : reject(new Error("lost")));
      }),
    );
    slot.release();
    await settle();
    expect(() => slots.take("a")).toThrow("Too many requests.");
    settleWork();
    await settle();
    expect(() => slots.take("a")).not.toThrow();
  });
});
