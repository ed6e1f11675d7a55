import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from './billing.module.css'
import { SupportLink } from './SupportLink.tsx'

/** what is refused for an earlier invoice leads to it. */
const owed = new Set(['billing.invoice_unpaid', 'billing.payment_processing'])

/** Where whoever was refused goes from there: to what he owes, or to support. */
export function WhatToDo(props: { error: Error }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const code = props.error instanceof ApiError ? props.error.code : ''
  if (!owed.has(code) && code !== 'billing.custom_by_quote') return null
  return (
    <p className={styles['actions']}>
      {owed.has(code) ? (
        <Link to="/$locale/account/$/" params={{ locale, _splat: 'invoice' }}>
          {text('billing.return.invoices')}
        </Link>
      ) : null}
      <SupportLink />
    </p>
  )
}
