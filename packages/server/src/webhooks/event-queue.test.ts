import { expect, it } from "vitest";
import { EventRoom } from "./delivery-context.ts";
import { EventQueue } from "./event-queue.ts";

const event = (seq: number, subject: string) => ({
  seq: BigInt(seq),
  id: `${seq}`,
  subject,
  type: "OUTGOING_PAYMENT.COMPLETED",
  at: 0,
  body: "{}",
  readAt: 0,
  isHeldBack: false,
  isSkipped: false,
});

it("gives out one event of a subject at a time, in the order they came", () => {
  const room = new EventRoom(10);
  const queue = new EventQueue(room);
  const [a1, b2, a3] = [event(1, "A"), event(2, "B"), event(3, "A")] as const;
  for (const one of [a1, b2, a3]) queue.add(one);
  expect([queue.take(), queue.take(), queue.take()]).toEqual([a1, b2, undefined]);
  queue.end(b2);
  expect(queue.take()).toBeUndefined();
  expect([queue.first, queue.size, room.held]).toEqual([1n, 2, 2]);
  queue.end(a1);
  expect(queue.first).toBe(3n);
  expect(queue.take()).toBe(a3);
  queue.end(a3);
  expect([queue.first, queue.size, room.held]).toEqual([undefined, 0, 0]);
});

it("removes what waits behind an event that was taken, and goes on with what comes later", () => {
  const queue = new EventQueue(new EventRoom(10));
  const [a1, a2, a3, a4] = [event(1, "A"), event(2, "A"), event(3, "A"), event(4, "A")] as const;
  for (const one of [a1, a2, a3]) queue.add(one);
  expect(queue.take()).toBe(a1);
  expect(queue.removeBehind(a1)).toEqual([a2, a3]);
  queue.add(a4);
  expect(queue.take()).toBeUndefined();
  queue.end(a1);
  expect(queue.take()).toBe(a4);
  expect(() => queue.end(a1)).toThrow("ends once");
});

it("gives its room back when it is cleared", () => {
  const room = new EventRoom(3);
  const queue = new EventQueue(room);
  for (const seq of [1, 2, 3]) queue.add(event(seq, "A"));
  expect(room.grant(50, 4)).toBe(4);
  queue.clear();
  expect(room.grant(50, 4)).toBe(4);
  expect(room.grant(2, 4)).toBe(2);
  expect(new EventRoom(100).grant(50, 4)).toBe(50);
});
