import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import type { ServiceKind } from '../../../kernel/page-services.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { choose, offered } from '../../../ui/services/choice.ts'
import styles from './outside.module.css'

const all = offered.map(({ kind }) => kind)

/** T-02…T-04, H-41: above the page, in the flow: it covers nothing, and both answers take one press. */
export function ConsentBanner(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const [choosing, setChoosing] = useState(false)
  const [ticked, setTicked] = useState<readonly ServiceKind[]>([])
  const tick = (kind: ServiceKind, on: boolean) =>
    setTicked((before) => [...before.filter((each) => each !== kind), ...(on ? [kind] : [])])
  return (
    <section className={styles['banner']} aria-labelledby={id}>
      <h2 id={id}>{text('outside.heading')}</h2>
      <p>
        {text('outside.lead')}{' '}
        <Link to="/$locale/legal/$/" params={{ locale, _splat: 'cookies' }}>
          {text('outside.more')}
        </Link>
      </p>
      <ul className={styles['kinds']}>
        {offered.map(({ kind, origin }) => (
          <li key={kind}>
            {choosing ? (
              <label>
                <input
                  type="checkbox"
                  checked={ticked.includes(kind)}
                  onChange={(event) => tick(kind, event.currentTarget.checked)}
                />
                <span>{text('outside.of', { what: text(`outside.kind.${kind}`), host: new URL(origin).host })}</span>
              </label>
            ) : (
              text('outside.of', { what: text(`outside.kind.${kind}`), host: new URL(origin).host })
            )}
          </li>
        ))}
      </ul>
      <div className={styles['answers']}>
        <Button variant="default" size="md" onClick={() => choose([])}>
          {text('outside.refuse')}
        </Button>
        {choosing ? (
          <Button variant="default" size="md" onClick={() => choose(ticked)}>
            {text('outside.keep')}
          </Button>
        ) : (
          <Button variant="default" size="md" onClick={() => choose(all)}>
            {text('outside.agree')}
          </Button>
        )}
        {choosing || all.length === 1 ? null : (
          <Button variant="subtle" size="md" onClick={() => setChoosing(true)}>
            {text('outside.choose')}
          </Button>
        )}
      </div>
    </section>
  )
}
