/**
 * A platform with a history that no test could make by calls: rows are inserted by SQL, in the proportions of a business that has paid for
 * three months. Nothing links them to the log of commands, so the books of such a database are not checked.
 */
import type pg from "pg";
import { externalAccounts } from "../../src/domain/accounts/external/external-account.ts";
import { internalAccounts } from "../../src/domain/accounts/internal/internal-account.ts";
import { customers } from "../../src/domain/customers/customer.ts";
import { transactions } from "../../src/domain/payments/transactions/transaction.ts";
import { railEntries } from "../../src/domain/rails/entries/rail-entry.ts";
import { railPayments } from "../../src/domain/rails/orders/rail-payment.ts";
import { present } from "../../src/std/assert.ts";
import { type CountedList, DAY_IN_SQL, kindInSql } from "../../src/tables/list-totals.ts";

export interface LargePlatform {
  readonly platformId: string;
  /** Payments, customers and events each; three times as many calls. */
  readonly rows: number;
  /** The moment up to which the history goes. */
  readonly untilMs: number;
  /** A rail connection that has an order for each outgoing payment; without it there are no orders. */
  readonly connectionId?: string;
}

const DAY_MS = 86_400_000;
export const HISTORY_MS = 90 * DAY_MS;
/** Within what the log of calls keeps. */
const CALLS_MS = 6 * DAY_MS;

/** A UUIDv7 of row `n` of a kind, which is a hexadecimal digit. */
const ID_AT =
  "create or replace function pg_temp.id_at(ms int8, n int8, kind text) returns uuid language sql immutable as $$ " +
  "select (lpad(to_hex(ms), 12, '0') || '70008000' || kind || lpad(to_hex(n), 11, '0'))::uuid $$";

export async function fillLargePlatform(client: pg.Client, place: LargePlatform): Promise<void> {
  await client.query(ID_AT);
  await client.query("set synchronous_commit = off");
  for (const statement of [...rowsOf(place), ...totalsOf(place)]) await client.query(statement);
  await client.query("vacuum (analyze)");
}

const FIRST_NAMES =
  "(array['Maria','John','Renée','Ana','Ahmed','Wei','Olga','Peter','Fatima','Carlos','Lena','Yuki','Tom','Sara','Nina','Paul'])[1 + i % 16]";
/** A twenty-thousandth of all customers, and of all payees, have the same name. */
const lastName = (row: string) => `initcap(substr(md5((${row} % 20000)::text), 1, 6))`;
const REGIONS = "(array['US','US','US','GB','DE','FR','MX','BR','IN','JP'])[1 + i % 10]";

/** The time and the ids of row `i` of `rows` within the history. */
function within({ rows, untilMs }: LargePlatform, spanMs: number) {
  const step = Math.floor(spanMs / rows);
  return (row: string) => `(${untilMs - spanMs}::int8 + (${row})::int8 * ${step})`;
}

const stamp = (ms: string) => `to_timestamp(${ms} / 1000.0)`;

function idsOf(place: LargePlatform) {
  const msOf = within(place, HISTORY_MS);
  const { rows } = place;
  const customer = (row: string) => `pg_temp.id_at(${msOf(row)}, ${row}, 'c')`;
  const account = (row: string) => `pg_temp.id_at(${msOf(row)}, ${row}, 'a')`;
  const payment = (row: string) => `pg_temp.id_at(${msOf(row)}, ${row}, 'b')`;
  const payee = (row: string) => `pg_temp.id_at(${msOf(row)}, ${row}, 'e')`;
  /** Customers pay in no order. */
  const payer = `((i::int8 * 7919) % ${rows})`;
  return { msOf, customer, account, payee, payment, payer };
}

/** Of a hundred payments thirty come in, five fail and one is under way. */
const STATUS =
  "case when i % 20 = 7 then 'FAILED' when i % 100 = 3 then 'PROCESSING' else 'COMPLETED' end";
const TYPE = "case when i % 10 < 3 then 'INCOMING' else 'OUTGOING' end";

const VERIFIED = "case i % 300 when 21 then 'PENDING' else 'APPROVED' end";
const FROZEN =
  "case i % 500 when 9 then json_build_object('reason', 'COMPLIANCE', 'scope', 'ALL', 'since', '2026-11-01T00:00:00.000Z') end";
/** A payment of two hundred is in another currency, and one of twenty thousand was given back: fewer than a search walks at once. */
const CURRENCY = "case i % 200 when 11 then 'EUR' else 'USD' end";
export const ONE_GIVEN_BACK_OF = 20_000;
const RAIL = "(array['ACH','WIRE','RTP'])[1 + i % 3]";

function rowsOf(place: LargePlatform): readonly string[] {
  const { platformId, rows } = place;
  const { msOf, customer, account, payee, payment, payer } = idsOf(place);
  const at = stamp(msOf("i"));
  const each = `from generate_series(0, ${rows} - 1) i`;
  const amount = "100 + (i::int8 * 7919) % 200000";
  return [
    `insert into customers (platform_id, id, platform_customer_id, customer_type, uma_address, region, currencies, infers_currencies,
       full_name, email, phone_number, kyc_status, kyb_status, business_info, frozen, profile, former_uma_addresses, created_at, updated_at, deleted_at)
     select '${platformId}', ${customer("i")}, 'cust-' || i, case i % 20 when 0 then 'BUSINESS' else 'INDIVIDUAL' end,
       '$u' || i || '@large.test', ${REGIONS}, (case i % 4 when 0 then '["USD","EUR"]' else '["USD"]' end)::json, false,
       case when i % 20 > 0 then ${FIRST_NAMES} || ' ' || ${lastName("i")} end, 'u' || i || '@example.com',
       case i % 10 when 1 then '+1' || 2000000000::int8 + i end,
       case when i % 20 > 0 then ${VERIFIED} end, case i % 20 when 0 then ${VERIFIED} end,
       case i % 20 when 0 then json_build_object('legalName', 'Company ' || i) end, ${FROZEN}, '{}', '[]', ${at}, ${at},
       case i % 100 when 99 then ${at} end ${each}`,
    `insert into internal_accounts (platform_id, id, customer_id, type, status, currency, is_simulated, created_at)
     select '${platformId}', ${account("i")}, ${customer("i")}, 'INTERNAL_FIAT', 'ACTIVE', 'USD', true, ${at} ${each}`,
    `insert into ledger_accounts (platform_id, id, kind, currency, guarded, balance_minor, held_minor, version, updated_at)
     select '${platformId}', ${account("i")}, 'internal', 'USD', true, case i % 10 when 4 then 500 + i % 900000 else 0 end, 0, 0, ${at} ${each}`,
    `insert into external_accounts (platform_id, id, customer_id, status, currency, account_type, account_info, primary_identifier, fingerprint,
       default_uma_deposit_account, created_at, updated_at)
     select '${platformId}', ${payee("i")}, ${customer("i")}, 'ACTIVE', 'USD', 'USD_ACCOUNT', json_build_object('accountType', 'USD_ACCOUNT',
       'accountNumber', 10000000 + i, 'routingNumber', '021000021', 'bankName', 'Bank ' || i % 40, 'beneficiary',
       json_build_object('beneficiaryType', 'INDIVIDUAL', 'fullName', ${FIRST_NAMES} || ' ' || ${lastName("(i + 7001)")})),
       (10000000 + i)::text, 'account ' || i, false, ${at}, ${at} ${each}`,
    `insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination, source_account_id,
       destination_account_id, sent_minor, sent_currency, received_minor, received_currency, reference, description, details, failure_reason,
       failure, outcome, created_at, updated_at, settled_at)
     select '${platformId}', ${payment("i")}, ${TYPE}, ${STATUS}, ${customer(payer)}, 'cust-' || ${payer},
       json_build_object('type', 'ACCOUNT', 'accountId', 'InternalAccount:' || ${account(payer)}, 'currency', 'USD'),
       json_build_object('type', 'ACCOUNT', 'accountId', 'ExternalAccount:' || ${payee(payer)}, 'currency', 'USD'),
       ${account(payer)}, ${payee(payer)}, ${amount}, ${CURRENCY}, ${amount}, ${CURRENCY},
       'INV-' || substr(md5(i::text), 1, 12), (array['rent','salary','invoice','refund','groceries'])[1 + i % 5] || case i % 7 when 0 then ' order ' || i else '' end,
       case when ${TYPE} = 'INCOMING' then json_build_object('paymentRail', ${RAIL})
         else json_build_object('paymentRail', ${RAIL}, 'reference', 'FL' || 8000000000000 + i) end,
       case i % 20 when 7 then 'TRANSFER_REJECTED' end,
       case i % 20 when 7 then json_build_object('code', 'INSUFFICIENT_FUNDS', 'stage', 'RAIL', 'message', 'Insufficient funds') end,
       case i % ${ONE_GIVEN_BACK_OF} when 1000 then json_build_object('refundedMinor', '100') end,
       ${at}, ${at}, case when i % 20 <> 7 and i % 100 <> 3 then ${at} end ${each}`,
    `insert into events (platform_id, seq, id, command_seq, type, subject, at, body)
     select '${platformId}', h.event_seq + 1 + i, pg_temp.id_at(${msOf("i")}, i, 'f'), h.seq, e.type, 'Transaction:' || ${payment("i")}, ${at},
       '{"id":"Webhook:' || pg_temp.id_at(${msOf("i")}, i, 'f') || '","type":"' || e.type || '","timestamp":"' ||
       to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":{"id":"Transaction:' || ${payment("i")} || '"}}'
     ${each} cross join (select seq, event_seq from platform_heads where platform_id = '${platformId}') h cross join lateral (
       select ${TYPE} || '_PAYMENT.' || replace(${STATUS}, 'PROCESSING', 'PENDING') as type) e order by i`,
    `update platform_heads set event_seq = event_seq + ${rows} where platform_id = '${platformId}'`,
    ...ordersOf(place),
    ...deliveriesOf(place),
    callsOf(place),
  ];
}

/** The payments that went out, each with the entry by which the bank booked it. */
function ordersOf(place: LargePlatform): readonly string[] {
  const { platformId, rows, connectionId } = place;
  if (connectionId === undefined) return [];
  const { msOf, payment } = idsOf(place);
  const at = stamp(msOf("i"));
  const order = `pg_temp.id_at(${msOf("i")}, i, '8')`;
  const each = `from generate_series(0, ${rows} - 1) i where ${TYPE} = 'OUTGOING'`;
  const amount = "100 + (i::int8 * 7919) % 200000";
  return [
    `insert into rail_payments (platform_id, id, transaction_id, connection_id, direction, payment_rail, currency, amount_minor, counterparty, ours,
       reference, requested_on, state, is_conflict, moves_nothing, untold_minor, hold_days, bank_reference, history, created_at, updated_at)
     select '${platformId}', ${order}, ${payment("i")}, '${connectionId}', 'OUT', ${RAIL}, 'USD', ${amount},
       json_build_object('accountType', 'USD_ACCOUNT', 'accountInfo', json_build_object('accountType', 'USD_ACCOUNT'), 'name', 'Ana Ruiz',
       'identifierMasked', '••••1234'), '{}', 'FL' || 8000000000000 + i, '2026-11-02',
       case when i % 1000 = 3 then 'QUEUED' when i % 20 = 7 then 'DECLINED' else 'SETTLED' end, false, false, 0, 0, 'BK' || i, '[]', ${at}, ${at} ${each}`,
    `insert into rail_entries (platform_id, id, connection_id, bank_reference, direction, currency, amount_minor, booked_on, reference, booked_as,
       payment_id, source, booked_by, created_at)
     select '${platformId}', pg_temp.id_at(${msOf("i")}, i, '9'), '${connectionId}', 'BK' || i, 'DEBIT', 'USD', ${amount}, '2026-11-02',
       'FL' || 8000000000000 + i, 'PAYMENT', ${order}, 'CONNECTOR', 'worker', ${at} ${each}`,
  ];
}

/** The streams have sent everything, but for one event of a hundred that was given up. */
function deliveriesOf({ platformId }: LargePlatform): readonly string[] {
  return [
    `update webhook_endpoints set since_event_seq = 0, filter_since_event_seq = 0 where platform_id = '${platformId}'`,
    `insert into webhook_streams as s (platform_id, endpoint_id, position)
     select h.platform_id, w.id, h.event_seq from platform_heads h join webhook_endpoints w on w.platform_id = h.platform_id
     where h.platform_id = '${platformId}' on conflict (platform_id, endpoint_id) do update set position = excluded.position`,
    `insert into webhook_deliveries (platform_id, endpoint_id, event_seq, subject, state, attempts, parked_at, last_status, last_outcome)
     select e.platform_id, w.id, e.seq, e.subject, 'FAILED', 8, e.at, 500, 'HTTP 500'
     from events e join webhook_endpoints w on w.platform_id = e.platform_id where e.platform_id = '${platformId}' and e.seq % 100 = 0`,
  ];
}

/** Three times as many as payments, nineteen of twenty of them successful. */
function callsOf(place: LargePlatform): string {
  const calls = place.rows * 3;
  const msOf = within({ ...place, rows: calls }, CALLS_MS);
  const payment = idsOf(place).payment(`(i % ${place.rows})`);
  return `insert into request_logs (platform_id, id, created_at, method, path, operation_id, status, error_code, duration_ms, request_bytes,
      response_bytes, actor_id, is_agent, address, request_id, resource_id, key_digest, replayed, sampled_one_in, content_id, content_place)
    select '${place.platformId}', pg_temp.id_at(${msOf("i")}, i, 'd'), ${stamp(msOf("i"))},
      case when i % 3 = 0 then 'POST' else 'GET' end,
      case i % 3 when 0 then '/transfer-out' when 1 then '/transactions' else '/transactions/Transaction:' || ${payment} end,
      (array['transferOut','listTransactions','getTransaction'])[1 + i % 3],
      case i % 40 when 0 then 400 when 13 then 500 else 200 end, case i % 40 when 0 then 'INVALID_INPUT' when 13 then 'INTERNAL_ERROR' end,
      case i % 50 when 1 then 400 else i % 30 end, 100, 900, pg_temp.id_at(${place.untilMs}, i % 5, '7'), false, '192.0.2.' || i % 250,
      'request-' || i, case i % 3 when 2 then 'Transaction:' || ${payment} end,
      case i % 3 when 0 then pg_temp.id_at(0, i, '6') end, i % 300 = 0, 1, pg_temp.id_at(0, i / 64, '5'), i % 64
    from generate_series(0, ${calls} - 1) i`;
}

/** The totals that the commits of these rows would have kept. */
function totalsOf({ platformId }: LargePlatform): readonly string[] {
  return [
    customers,
    externalAccounts,
    internalAccounts,
    railEntries,
    railPayments,
    transactions,
  ].map((table) => {
    const counted: CountedList["counted"] = present(table.counted, "what a list is counted by");
    const { name } = table;
    return `insert into list_totals (platform_id, list, day, kind, total)
      select t.platform_id, '${name}', ${DAY_IN_SQL}, ${kindInSql(counted)}, count(*) from ${name} t
      where t.platform_id = '${platformId}' group by 1, 2, 3, 4
      on conflict (platform_id, list, day, kind) do update set total = excluded.total`;
  });
}
