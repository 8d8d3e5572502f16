// Prints how many tests of a run passed, failed and were skipped, as one plain line, from the JSON report of the runner. A run
// that executed no test is an error.
import { readFile } from "node:fs/promises";

const [, , path] = process.argv;
const report = JSON.parse(await readFile(path, "utf8"));
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (passed + failed === 0) process.exitCode = 1;
