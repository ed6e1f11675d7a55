import { useEffect, useRef, type ReactNode } from 'react'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { ConclusionSaid } from '../../domain/describe/describe-conclusion.ts'
import styles from './verification-result.module.css'

const tones = { green: 'good', amber: 'caution', red: 'bad', grey: 'none' } as const

/**
 * The one verdict before anything else, in its two parts: what is intact and proven, and on whose word. Takes the focus when it is the
 * answer to what the reader just did.
 */
export function VerdictBand(props: {
  said: ConclusionSaid
  at: string
  name: string
  focused: boolean
  picture?: ReactNode
  children?: ReactNode
}): ReactNode {
  const locale = useLocale()
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const band = useRef<HTMLDivElement>(null)
  const { focused, said } = props
  // Mounted anew for each verification.
  useEffect(() => {
    if (!focused) return
    // At the top of the screen: at its foot, a notice would cover it.
    heading.current?.focus({ preventScroll: true })
    band.current?.scrollIntoView()
  }, [focused])
  return (
    <div ref={band} className={styles['verdict']} data-tone={tones[said.colour]} data-colour={said.colour}>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {said.title}
        </h2>
        <p>
          {said.intact} {said.files}
        </p>
        <Lines lines={said.missing} />
        {props.children}
        {said.word.length === 0 ? null : <h3>{text('verification.conclusion.word')}</h3>}
        <Lines lines={said.word} />
        <p className={styles['soft']}>
          {props.name === '' ? null : <>{visible(props.name)} · </>}
          {text('verification.page.verified_at', { at: formatExact(props.at, locale) })}
          {said.detail === '' ? null : (
            <>
              {' '}
              · <code>{said.detail}</code>
            </>
          )}
        </p>
      </div>
      {props.picture}
    </div>
  )
}

function Lines({ lines }: { lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null
  return (
    <ul className={styles['plain']}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
