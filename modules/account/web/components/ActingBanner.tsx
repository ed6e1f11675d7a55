import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { currentUserQuery } from '../current-user.ts'
import { switchAccount } from '../switch-account.ts'
import styles from './acting-banner.module.css'

/** H-22: in whose account everything that is done here is done, on every page and at any place of it; and the way out. */
export function ActingBanner(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data: user } = useQuery(currentUserQuery)
  const name = user === undefined ? '' : visible(`${user.first_name} ${user.last_name}`)
  const acting = user?.acting ?? null
  const banner = useRef<HTMLElement>(null)
  // What fills the screen, or stands at its foot, leaves it that much room.
  useEffect(() => {
    const element = banner.current
    if (element === null) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--acting-height', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--acting-height')
    }
  }, [])
  return (
    <aside ref={banner} className={styles['banner']} aria-label={text('account.page.acting.label')} data-acting="">
      <p>
        <strong>{acting === null ? text('account.page.acting.other') : text('account.page.acting', { name })}</strong>{' '}
        {acting === null ? null : <span className={styles['scope']}>{text(`account.page.scope.${acting.scope}`)}</span>}
      </p>
      <Button variant="default" onClick={() => switchAccount(null, locale)}>
        {text('account.page.acting.leave')}
      </Button>
    </aside>
  )
}
