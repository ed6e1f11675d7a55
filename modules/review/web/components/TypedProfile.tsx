import { Fragment, type ReactNode } from 'react'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AdminUser } from '../../contract/review.ts'
import { typedDay } from '../typed-day.ts'
import { useFieldName } from '../use-field-name.ts'
import styles from '../users.module.css'

type Typed = { readonly field: string; readonly value: string | null }

/** What the person typed, in the order of its form, to be compared; what changed since it was sent is marked. */
export function TypedProfile(props: { user: AdminUser; file: NonNullable<AdminUser['file']> }): ReactNode {
  const text = useText()
  const { file, user } = props
  const legal = user.user_type === 'legal'
  const changed = new Set(file.changed_since)
  return (
    <section className={styles['panel']} aria-labelledby="typed-profile">
      <h2 id="typed-profile">{text('review.page.typed')}</h2>
      {changed.size === 0 ? null : <p className={styles['caution']}>{text('review.page.changed', { count: changed.size })}</p>}
      <Rows
        typed={file.typed.filter(({ field, value }) => value !== null || legal || !ofCompany.test(field))}
        changed={changed}
        age={file.age}
      />
      {file.beneficial_owners.map((owner, i) => (
        <Fragment key={owner.map(({ value }) => value).join('\u0000')}>
          <h3>{text('review.page.owner', { number: i + 1 })}</h3>
          <Rows typed={owner} changed={new Set()} age={null} />
        </Fragment>
      ))}
    </section>
  )
}

function Rows(props: { typed: readonly Typed[]; changed: ReadonlySet<string>; age: number | null }): ReactNode {
  const text = useText()
  const fieldName = useFieldName()
  const valueOf = useTypedValue()
  const given = props.typed.filter(({ value }) => value !== null)
  const empty = props.typed.filter(({ value }) => value === null)
  return (
    <>
      <dl className={styles['typed']}>
        {given.map(({ field, value }) => (
          <div key={field} data-changed={props.changed.has(field) || undefined}>
            <dt>{fieldName(field)}</dt>
            <dd>
              {valueOf(field, value ?? '')}
              {field === 'birth_date' && props.age !== null ? (
                <span className={styles['age']} data-tone={props.age < 18 ? 'bad' : undefined}>
                  {' '}
                  {text('review.page.age', { age: props.age })}
                </span>
              ) : null}
              {props.changed.has(field) ? <em> {text('review.page.changed.field')}</em> : null}
            </dd>
          </div>
        ))}
      </dl>
      {empty.length === 0 ? null : (
        <p className={styles['soft']}>
          {text('review.page.not_typed', { fields: empty.map(({ field }) => fieldName(field)).join(', ') })}
        </p>
      )}
    </>
  )
}

/** A person has none of these; what is not there is not missing. */
const ofCompany = /^(?:company|representative)_/
const choiceFields = new Set(['user_type', 'civility', 'company_type'])
const countryFields = new Set(['birth_country', 'nationality', 'country'])

/** Codes of the wire in words; whatever else, made visible. */
function useTypedValue(): (field: string, value: string) => string {
  const optionalText = useOptionalText()
  const locale = useLocale()
  return (field, value) => {
    if (countryFields.has(field) && /^[A-Z]{2}$/.test(value))
      return `${new Intl.DisplayNames([locale], { type: 'region' }).of(value) ?? value} (${value})`
    if (field === 'birth_date') return typedDay(value, locale)
    return choiceFields.has(field) ? (optionalText(`account.page.choice.${value}`) ?? value) : visible(value)
  }
}
