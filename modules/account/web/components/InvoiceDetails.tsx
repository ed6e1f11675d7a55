import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { CurrentUser } from '../../contract/profile.ts'
import { companyTypes, profileFieldNames, profileFields, type ProfileField } from '../../domain/profile.ts'
import { currentUserQuery } from '../current-user.ts'
import { useProfileForm } from '../use-profile-form.ts'
import { ProfileLine } from './ProfileLine.tsx'
import { UserType } from './UserType.tsx'
import styles from '../account-pages.module.css'

/** V-45, H-33: of the profile what an invoice needs and does not have yet, typed where something is bought. @param props.onComplete once, also where nothing is missing */
export function InvoiceDetails(props: { onComplete: () => void }): ReactNode {
  const text = useText()
  const user = useQuery(currentUserQuery)
  const complete = user.data?.completeness.payment.complete === true
  const onComplete = useEffectEvent(props.onComplete)
  useEffect(() => {
    if (complete) onComplete()
  }, [complete])
  return (
    <Loaded query={user} loading={text('ui.loading')} failed={text('account.page.profile.failed')}>
      {(profile) => (profile.user_type === null ? <UserType user={profile} /> : <Missing key={profile.id} user={profile} />)}
    </Loaded>
  )
}

const autoComplete: Partial<Record<ProfileField, string>> = {
  first_name: 'given-name',
  last_name: 'family-name',
  address: 'street-address',
  zip: 'postal-code',
  city: 'address-level2',
  country: 'country-name',
  company_name: 'organization',
}

/** Those that were missing when it was opened: what has been filled in stays in sight. */
function Missing(props: { user: CurrentUser }): ReactNode {
  const text = useText()
  const { user } = props
  const profile = useProfileForm(user)
  const countries = useId()
  const [fields] = useState(() => {
    const missing = new Set(user.completeness.payment.missing.map(({ field }) => field))
    return profileFieldNames.filter((field) => missing.has(field))
  })
  return (
    <div className={styles['fields']}>
      <datalist id={countries}>
        {profile.names.all.map(({ code, name }) => (
          <option key={code} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      {fields.map((name) => (
        <ProfileLine
          key={name}
          name={name}
          profile={profile}
          {...(autoComplete[name] === undefined ? {} : { autoComplete: autoComplete[name] })}
          {...(profileFields[name].kind === 'country' ? { suggestions: countries } : {})}
          {...(name === 'company_type'
            ? {
                options: [
                  ['', text('account.page.choice.none')],
                  ...companyTypes.map((each) => [each, text(`account.page.choice.${each}`)] as const),
                ],
              }
            : {})}
        />
      ))}
    </div>
  )
}
