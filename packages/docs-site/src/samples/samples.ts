import type { Operation } from "../api/document.ts";
import type { Sample } from "../blocks/blocks.ts";
import { curlSample } from "./curl.ts";
import { pythonSample } from "./python.ts";
import { sampleCallOf } from "./sample-call.ts";
import { typescriptSample } from "./typescript.ts";

/** One call of the operation, in each language. */
export function samplesOf(operation: Operation): readonly Sample[] {
  const call = sampleCallOf(operation);
  return [
    { language: "bash", label: "curl", text: curlSample(call) },
    { language: "ts", label: "TypeScript", text: typescriptSample(call) },
    { language: "python", label: "Python", text: pythonSample(call) },
  ];
}
