/** Each quote that pays an invoice of another institution has taken its invoice, once, and no other quote has one. */
export const QUOTE_INVOICES = `
  select 'quote_invoices', 'quote ' || coalesce(q.id, v.quote_id), 'it pays ' || (case when q.id is null then 0 else 1 end) || ' invoices, and has taken ' || count(v.id)
  from (select id, created_at from quotes where platform_id = $1::uuid and settlement is not null) q
  full join (select id, quote_id, created_at from quote_invoices where platform_id = $1::uuid) v on v.quote_id = q.id
  group by q.id, v.quote_id
  having q.id is null or count(v.id) <> 1 or max(v.created_at) <> max(q.created_at) order by 2`;
