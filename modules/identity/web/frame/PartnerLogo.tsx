import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBrand } from '../../../../ui/shell/brand.ts'
import { Logo } from '../../../../ui/shell/Sign.tsx'
import { currentUserQuery } from '../../../account/web/index.ts'
import styles from '../identity.module.css'

/** L-18, P-10: of the account in which one acts, where the page does not stand under that sign already. */
export function PartnerLogo(): ReactNode {
  const { data: user } = useQuery(currentUserQuery)
  const brand = useBrand()
  if (user === undefined || user.company_logo === null || user.company_logo_text === null) return null
  if (brand?.id === user.company_logo) return null
  return (
    <p className={styles['partner']}>
      <Logo brand={user.company_logo} name={user.company_logo_text} />
    </p>
  )
}
