/**
 * The form of all refusals on the public paths of UMA: institutions read LNURL's `{"status":"ERROR","code","reason"}` there, at
 * each host and for each method. Headers and status stay. The request id of a 5xx is in `X-Request-Id`.
 */
import type { ErrorAnswer } from "../server/errors.ts";
import { umaError } from "./uma-answer.ts";

const BELOW = ["/.well-known/", "/uma/pay/", "/uma/utxos/"];
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** By the target of the request line. The router decodes a path before it looks for a route, so this does as well. */
export function isUmaTarget(target: string): boolean {
  const [path = ""] = target.replace(ORIGIN, "").split(/[?#]/, 1);
  const read = decoded(path);
  return BELOW.some((start) => read.startsWith(start));
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // Such a path is refused, and the form of that depends on its beginning.
    return path;
  }
}

/** The refusal in the form of the path. */
export function inFormOf<Refused extends ErrorAnswer>(target: string, answer: Refused): Refused {
  if (!isUmaTarget(target)) return answer;
  const { code, message } = JSON.parse(answer.body) as Readonly<Record<"code" | "message", string>>;
  return { ...answer, body: umaError(answer.status, code, message).body };
}
