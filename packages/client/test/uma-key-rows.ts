/** The calls of UMA keys, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

const id = "UmaKey:1";
const KEY = "/uma/keys/UmaKey%3A1";

export const umaKeyRows: readonly Row[] = [
  ["umaKeys.list", (c) => c.umaKeys.list(), "GET /uma/keys"],
  ["umaKeys.get", (c) => c.umaKeys.get(id), `GET ${KEY}`],
  ["umaKeys.request", (c) => c.umaKeys.request(id), `GET ${KEY}/csr`],
  ["umaKeys.setChain", (c) => c.umaKeys.setChain(id, { pem: "-" }), `PUT ${KEY}/chain`],
  ["umaKeys.rotate", (c) => c.umaKeys.rotate({ use: "SIGNING" }), "POST /uma/keys/rotate"],
  ["umaKeys.destroy", (c) => c.umaKeys.destroy(id), `POST ${KEY}/destroy`],
];
