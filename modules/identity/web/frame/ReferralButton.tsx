import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { currentUserQuery } from '../../../account/web/index.ts'
import styles from '../identity.module.css'

/** L-06, X-57: copies the link with which others register and name who referred them. */
export function ReferralButton(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data: user } = useQuery(currentUserQuery)
  // L-07, P-10: nobody of a partner's refers.
  if (user === undefined || user.company_logo !== null || user.acting !== null) return null
  const link = `${location.origin}/${locale}/authentication/registration/?referral=${encodeURIComponent(user.referral_code)}`
  return (
    <button
      type="button"
      className={styles['referral']}
      onClick={() => {
        navigator.clipboard.writeText(link).then(
          () => notify('success', text('identity.page.referral.copied'), text('ui.notice.dismiss')),
          () => notify('error', text('identity.page.referral.not_copied', { link }), text('ui.notice.dismiss')),
        )
      }}
    >
      {text('identity.page.referral.copy')}
    </button>
  )
}
