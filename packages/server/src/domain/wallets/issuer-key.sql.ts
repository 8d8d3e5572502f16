/**
 * The issuer's key, stored once for the deployment. Servers that create a key at the same time keep the first one; a server
 * that dies before its insert stores nothing.
 */

import { parameter } from "../../postgres/columns.ts";
import type { Database } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import { Fault } from "../../std/errors.ts";
import type { IssuerKeyStore } from "./wallet-signer.port.ts";

/** Its row among the facts of the deployment. */
export const ISSUER_KEY_FACT = "wallet issuer key";

const kept = {
  name: "deployment_facts/issuer-key",
  text: `select value from deployment_facts where name = '${ISSUER_KEY_FACT}'`,
};

const keep = {
  name: "deployment_facts/keep-issuer-key",
  text: `insert into deployment_facts (name, value) values ('${ISSUER_KEY_FACT}', $1) on conflict do nothing`,
};

export function issuerKeyStore(database: Database): IssuerKeyStore {
  async function find(): Promise<string | undefined> {
    const [cells] = await database.reads.cells(kept, []);
    return cells?.[0] ?? undefined;
  }
  return {
    find,
    async keep(sealed) {
      try {
        const lane = await database.openLane("issuer key");
        const parameters = [parameter("text", sealed)];
        await lane.run([{ statement: keep, parameters }]).finally(() => lane.close());
      } catch (error) {
        throw new Fault("the issuer's key could not be kept", { cause: error });
      }
      return present(await find(), "the kept key of the issuer");
    },
  };
}
