import type { Reads } from "../../postgres/database.ts";
import { type Customer, customers } from "../customers/customer.ts";
import { umaHandle } from "../customers/uma-address.ts";
import { platformOfHandle } from "../platform.sql.ts";
import { platforms } from "../platform.ts";
import { isAtOwnDomain } from "./domains/uma-domain.ts";
import type { ReceiverSource } from "./receiver.port.ts";
import { receiverOfCustomer } from "./receiver.ts";

const byAddress = {
  name: "receivers/get",
  text:
    `select ${platforms.selectList("p")}, ${customers.selectList("c")} from platforms p ` +
    "join customers c on c.platform_id = p.platform_id and c.uma_address = $2::text and c.deleted_at is null " +
    "where p.platform_id = $1::uuid and p.id = $1::uuid",
};

/**
 * Customers of the asking platform, and for a sandbox those of every sandbox platform of the deployment, at domains that their platforms
 * still have. Found by the directory, because an address belongs to one platform of the deployment. Two production platforms are two
 * institutions: they look each other up over the network.
 */
export function customerReceivers(reads: Reads): ReceiverSource {
  return {
    async find(umaAddress, asking) {
      const handle = umaHandle(asking.environment, umaAddress);
      const platformId = await platformOfHandle(reads, handle);
      if (platformId === undefined) return undefined;
      if (asking.environment === "PRODUCTION" && platformId !== asking.id) return undefined;
      const [cells] = await reads.cells(byAddress, [platformId, umaAddress]);
      if (cells === undefined) return undefined;
      const platform = platforms.decode(cells);
      if (!isAtOwnDomain(platform, umaAddress)) return undefined;
      return receiverOfCustomer(platform, customers.decode(cells, platforms.columns.length));
    },
  };
}

const customerByAddress = {
  name: "customers/by-uma-address",
  text:
    `select ${customers.selectList("t")} from customers t ` +
    "where t.platform_id = $1::uuid and t.uma_address = $2::text and t.deleted_at is null",
};

/** A live customer of this platform, by a normalized address. */
export async function findCustomerAt(
  reads: Reads,
  platformId: string,
  umaAddress: string,
): Promise<Customer | undefined> {
  const [customer] = await reads.rows(customers, customerByAddress, [platformId, umaAddress]);
  return customer;
}
