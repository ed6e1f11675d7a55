import { useEffect, useRef, type ReactNode } from 'react'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Verdict } from '../../domain/report.ts'
import styles from './verification-result.module.css'

const tones = { 'TOTAL-PASSED': 'good', INDETERMINATE: 'caution', 'TOTAL-FAILED': 'bad' } as const

/** What was concluded, before anything else. Takes the focus when it is the answer to what the reader just did. */
export function VerdictBand(props: {
  verdict: Verdict | null
  title: string
  at: string
  name: string
  focused: boolean
  picture?: ReactNode
  children: ReactNode
}): ReactNode {
  const locale = useLocale()
  const heading = useRef<HTMLHeadingElement>(null)
  const band = useRef<HTMLDivElement>(null)
  const { focused, verdict } = props
  // Mounted anew for each verification.
  useEffect(() => {
    if (!focused) return
    // At the top of the screen: at its foot, a notice would cover it.
    heading.current?.focus({ preventScroll: true })
    band.current?.scrollIntoView()
  }, [focused])
  return (
    <div ref={band} className={styles['verdict']} data-tone={verdict === null ? 'none' : tones[verdict]}>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {props.title}
        </h2>
        {props.children}
        <p className={styles['soft']}>
          {props.name === '' ? null : <>{visible(props.name)} · </>}
          {formatInstant(props.at, locale, { seconds: true })}
          {verdict === null ? null : (
            <>
              {' '}
              · <code>{verdict}</code>
            </>
          )}
        </p>
      </div>
      {props.picture}
    </div>
  )
}
