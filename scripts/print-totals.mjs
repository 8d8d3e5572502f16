// Prints how many tests of a run passed, failed and were skipped, as one plain line, from the JSON report of the runner. A run
// that executed no test is an error.
import { readFile } from "node:fs/promises";

const [, , path] = process.argv;
const report = JSON.parse(await readFile(path, "utf8"));
const { numPassedTests: passed, numPendingTests: skipped } = report;
// A file that could not be loaded has failed without a failed test of its own.
const broken = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === "failed" && assertionResults.every((test) => test.status !== "failed"),
);
const failed = report.numFailedTests + broken.length;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (passed + failed === 0) process.exitCode = 1;
