import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import type { DisputePack, Lack } from '../contract/packs.ts'
import styles from './dispute.module.css'

const ways = {
  identity: { to: '/$locale/account/$/', page: 'identity' },
  // What was accepted once is not sent anew by oneself.
  identity_expired: { to: '/$locale/account/$/', page: 'identity' },
  identity_changed: { to: '/$locale/account/$/', page: 'profile' },
  profile: { to: '/$locale/account/$/', page: 'profile' },
} as const
const hasWay = (lack: Lack): lack is keyof typeof ways => Object.hasOwn(ways, lack)

/** What keeps the letter back, with the way to what is done elsewhere. */
export function Lacking({ pack }: { pack: DisputePack }): ReactNode {
  const text = useText()
  const locale = useLocale()
  if (pack.lacking.length === 0) return null
  return (
    <div className={styles['notice']} role="status">
      <strong>{text('dispute.lack.title')}</strong>
      <ol className={styles['lacking']}>
        {pack.lacking.map((lack) => (
          <li key={lack}>
            {text(`dispute.lack.${lack}`)}{' '}
            {hasWay(lack) ? (
              <Link to={ways[lack].to} params={{ locale, _splat: ways[lack].page }}>
                {text(`dispute.lack.${lack}.way`)}
              </Link>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  )
}
