import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import type { DisputePack } from '../contract/packs.ts'
import styles from './dispute.module.css'

const ways = { identity: 'identity', identity_expired: 'identity', profile: 'profile' } as const

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
            {lack === 'identity' || lack === 'identity_expired' || lack === 'profile' ? (
              <Link to="/$locale/account/$/" params={{ locale, _splat: ways[lack] }}>
                {text(`dispute.lack.${lack}.way`)}
              </Link>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  )
}
