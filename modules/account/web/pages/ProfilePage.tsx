import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, type HTMLAttributes, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { CurrentUser } from '../../contract/profile.ts'
import { civilities, companyTypes, profileFields, type ProfileField } from '../../domain/profile.ts'
import { BeneficialOwners } from '../components/BeneficialOwners.tsx'
import { ProfileLine } from '../components/ProfileLine.tsx'
import { UserType } from '../components/UserType.tsx'
import { currentUserQuery } from '../current-user.ts'
import { useProfileForm, type ProfileForm } from '../use-profile-form.ts'
import styles from '../account-pages.module.css'

/** E-03…E-13, P-07. */
export function ProfilePage(): ReactNode {
  const text = useText()
  const user = useQuery(currentUserQuery)
  return (
    <Loaded query={user} loading={text('ui.loading')} failed={text('account.page.profile.failed')}>
      {(profile) =>
        profile.acting !== null && profile.acting.scope !== 'manage' ? (
          <p className={styles['soft']}>{text('account.page.profile.not_managed')}</p>
        ) : (
          <Form key={profile.id} user={profile} />
        )
      }
    </Loaded>
  )
}

type Line = {
  readonly name: ProfileField
  readonly autoComplete?: string
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  readonly type?: 'email' | 'tel' | 'date'
  readonly hint?: 'phone' | 'country'
}

const ofPerson: readonly Line[] = [
  { name: 'civility' },
  { name: 'first_name', autoComplete: 'given-name' },
  { name: 'last_name', autoComplete: 'family-name' },
  { name: 'birth_date', autoComplete: 'bday', type: 'date' },
  { name: 'birth_city' },
  { name: 'birth_country' },
  { name: 'nationality' },
]
const ofAddress: readonly Line[] = [
  { name: 'address', autoComplete: 'street-address' },
  { name: 'zip', autoComplete: 'postal-code' },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'region', autoComplete: 'address-level1' },
  { name: 'country', autoComplete: 'country-name' },
]
const ofPhones: readonly Line[] = [
  { name: 'fixed_phone', type: 'tel', inputMode: 'tel', hint: 'phone' },
  { name: 'mobile_phone', type: 'tel', inputMode: 'tel', autoComplete: 'tel', hint: 'phone' },
]
const ofCompany: readonly Line[] = [
  { name: 'company_type' },
  { name: 'company_name', autoComplete: 'organization' },
  { name: 'company_number' },
  { name: 'company_email', type: 'email', inputMode: 'email' },
  { name: 'company_address' },
]
const ofRepresentative: readonly Line[] = [{ name: 'representative_first_name' }, { name: 'representative_last_name' }]

/** Where each of them is typed; a person has no field of a company. */
const shownTo = (legal: boolean): ReadonlySet<string> =>
  new Set([...ofPerson, ...ofAddress, ...ofPhones, ...(legal ? [...ofCompany, ...ofRepresentative] : [])].map(({ name }) => name))

function Form(props: { user: CurrentUser }): ReactNode {
  const text = useText()
  const { user } = props
  const profile = useProfileForm(user)
  const countries = useId()
  const legal = user.user_type === 'legal'
  const section = (title: Parameters<typeof text>[0], lines: readonly Line[]) => (
    <section className={styles['section']}>
      <h2>{text(title)}</h2>
      <div className={styles['fields']}>
        {lines.map((line) => (
          <Entry key={line.name} line={line} profile={profile} countries={countries} />
        ))}
      </div>
    </section>
  )
  const check = () => {
    profile.saveAll()
    const shown = shownTo(legal)
    const missing = user.completeness.payment.missing.filter(
      ({ field }) => shown.has(field) && profile.form.getValues(field as ProfileField).trim() === '',
    )
    missing.forEach(({ field, code }, i) =>
      profile.form.setError(field as ProfileField, { type: 'rule', message: code }, { shouldFocus: i === 0 }),
    )
  }
  return (
    <>
      <UserType user={user} />
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          check()
        }}
      >
        <p className={styles['soft']}>{text('account.page.profile.lead')}</p>
        <Completeness user={user} onName={(field) => profile.form.setFocus(field)} />
        <datalist id={countries}>
          {profile.names.all.map(({ code, name }) => (
            <option key={code} value={name}>
              {name}
            </option>
          ))}
        </datalist>
        {legal ? section('account.page.profile.company', ofCompany) : null}
        {legal ? section('account.page.profile.representative', ofRepresentative) : null}
        {section(legal ? 'account.page.profile.contact' : 'account.page.profile.person', ofPerson)}
        {section(legal ? 'account.page.profile.billing' : 'account.page.profile.address', ofAddress)}
        {section('account.page.profile.phones', ofPhones)}
        <div className={styles['actions']}>
          <Button type="submit" size="md" variant="default">
            {text('account.page.profile.check')}
          </Button>
        </div>
      </form>
      {legal ? <BeneficialOwners user={user} names={profile.names} /> : null}
    </>
  )
}

function Entry(props: { line: Line; profile: ProfileForm; countries: string }): ReactNode {
  const text = useText()
  const { line, profile } = props
  const { hint, ...field } = line
  const country = profileFields[line.name].kind === 'country'
  const choices =
    line.name === 'civility'
      ? civilities.map((each) => [each, text(`account.page.choice.${each}`)] as const)
      : line.name === 'company_type'
        ? companyTypes.map((each) => [each, text(`account.page.choice.${each}`)] as const)
        : null
  return (
    <ProfileLine
      {...field}
      profile={profile}
      {...(choices === null ? {} : { options: [['', text('account.page.choice.none')], ...choices] })}
      {...(country ? { suggestions: props.countries } : {})}
      {...(hint === undefined ? {} : { hint: text(`account.page.hint.${hint}`) })}
    />
  )
}

/** V-45: what an invoice still needs, each by its name, a step away from its field. */
function Completeness(props: { user: CurrentUser; onName: (field: ProfileField) => void }): ReactNode {
  const text = useText()
  const { complete, missing } = props.user.completeness.payment
  if (complete) return <p className={styles['good']}>{text('account.page.profile.complete')}</p>
  const shown = shownTo(props.user.user_type === 'legal')
  const fields = missing.map(({ field }) => field).filter((field): field is ProfileField => shown.has(field))
  if (fields.length === 0) return null
  return (
    <div>
      <p id="profile-missing">{text('account.page.profile.missing', { count: fields.length })}</p>
      <ul className={styles['missing']} aria-labelledby="profile-missing">
        {fields.map((field) => (
          <li key={field}>
            <button type="button" className={styles['textButton']} onClick={() => props.onName(field)}>
              {text(`account.page.field.${field}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
