import { sql, type RawBuilder } from 'kysely'

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** One word that a folded text holds: the index of trigrams begins at three letters, a shorter one is looked for where words begin. */
function holds(column: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  const folded = sql`review_fold(${escaped(word)})`
  return Array.from(word).length < 3
    ? sql`(${column} like ${folded} || '%' or ${column} like '% ' || ${folded} || '%')`
    : sql`${column} like '%' || ${folded} || '%'`
}

/** Ids of customers by a name, a company, the beginning of an address, a VAT number or an id; each is read from an index of its own. */
export function foundCustomers(search: string): RawBuilder<unknown> {
  const words = search
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 6)
  const [first = ''] = words
  const all = (column: string) =>
    sql.join(
      words.map((word) => holds(sql.ref(column), word)),
      sql` and `,
    )
  const people = [
    sql`select id from account_user where ${all('folded_name')}`,
    sql`select user_id from profile where folded_company is not null and ${all('folded_company')}`,
    ...(words.length === 1
      ? [sql`select user_id from email_address where address_key like ${`${escaped(first.toLowerCase())}%`}`]
      : []),
  ]
  const byIds = uuid.test(first)
    ? sql` union select id from billing_customer where id = ${first}::uuid or user_id = ${first}::uuid
        union select customer_id from invoice where id = ${first}::uuid`
    : sql``
  return sql`select id from billing_customer where user_id in (${sql.join(people, sql` union `)})
    union select id from billing_customer where vat_number = ${first.toUpperCase()}${byIds}`
}
