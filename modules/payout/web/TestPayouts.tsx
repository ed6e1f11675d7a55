import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { plansQuery } from '../../billing/web/index.ts'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** Where no money moves, every screen that speaks of a payout says so. */
export function TestPayouts(): ReactNode {
  const { text } = usePayoutWords()
  const { data } = useQuery(plansQuery)
  return data?.test === true ? <p className={styles['test']}>{text('payout.page.test')}</p> : null
}
