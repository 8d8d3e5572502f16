import type { Reads } from "../../storage/database.ts";
import { type ListPage, type ListQuery, listPage, tableSource } from "../../storage/list-query.ts";
import { type Customer, customers } from "./customer.ts";

const byId = {
  name: "customers/get",
  text: `select ${customers.selectList("t")} from customers t where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

/** Deleted customers are found as well. */
export async function findCustomer(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Customer | undefined> {
  const [customer] = await reads.rows(customers, byId, [platformId, id]);
  return customer;
}

const source = tableSource(customers);

export function listCustomers(reads: Reads, query: ListQuery): Promise<ListPage<Customer>> {
  return listPage(reads, source, query);
}
