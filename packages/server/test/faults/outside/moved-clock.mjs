/**
 * Preloaded with `--import` into the programs of a fault test: their time is ahead by the milliseconds in the file TEST_LATER_FILE, which
 * the test rewrites. So invoices lapse within a run, in every program at once, and nobody waits for them.
 */
import { readFileSync } from "node:fs";

const LOOK_MS = 20;
const HostDate = Date;
let laterMs = 0;

class MovedDate extends HostDate {
  constructor(...given) {
    super(...(given.length === 0 ? [MovedDate.now()] : given));
  }
  static now = () => HostDate.now() + laterMs;
}

function look() {
  try {
    laterMs = Number(readFileSync(process.env.TEST_LATER_FILE, "utf8"));
  } catch {
    // Until the test has written it, the time is the host's.
  }
}

look();
setInterval(look, LOOK_MS).unref();
globalThis.Date = MovedDate;
