/**
 * In production a quote to a UMA address without an invoice pays a customer of the same platform. It is complete together with the payee's
 * payment, which has its reference, its amount and its currency; and no UMA payment without an invoice came from anywhere else.
 */
export const IN_HOUSE_PAYMENTS = `
  with paid as (
    select 'UMA-' || upper(replace(q.transaction_id::text, '-', '')) as reference, q.transaction_id as id, q.receiving_currency as currency,
      q.receiving_minor as minor
    from quotes q where q.platform_id = $1::uuid and q.status = 'COMPLETED' and q.destination_uma is not null and q.settlement is null
  ), received as (
    select t.reference, t.id, t.received_currency as currency, t.received_minor as minor
    from transactions t
    where t.platform_id = $1::uuid and t.type = 'INCOMING' and t.status = 'COMPLETED' and t.source ->> 'type' = 'UMA_ADDRESS'
      and t.details ->> 'railEntryId' is null and not exists (select from uma_invoices i where i.platform_id = $1::uuid and i.id = t.id)
  )
  select 'transactions', 'payment ' || coalesce(p.id, r.id), case when p.id is null then 'no quote of the platform paid it'
      when r.id is null then 'it has paid a customer of the platform who has received nothing' else 'its payee has received another amount' end
  from paid p full join received r on r.reference = p.reference
  where (p.minor, p.currency) is distinct from (r.minor, r.currency)
    and exists (select from platforms f where f.platform_id = $1::uuid and f.id = $1::uuid and f.environment = 'PRODUCTION')
  order by 2`;
