import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { formatExact, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { EvidenceAnchor } from '../../contract/evidence.ts'
import styles from './anchor.module.css'

/** How far the seal has come into the Bitcoin chain, and what says so. */
export function Anchor(props: { anchor: EvidenceAnchor }): ReactNode {
  const text = useText()
  const { anchor } = props
  return (
    <div className={styles['anchor']}>
      {anchor.network === 'main' ? null : (
        <p role="note" className={styles['test']}>
          {text('evidence.anchor.test')}
        </p>
      )}
      {anchor.block === null ? <Pending anchor={anchor} /> : <Anchored anchor={anchor} block={anchor.block} />}
      {anchor.ots_url === null ? null : (
        <p>
          <Button component="a" href={apiAddress(anchor.ots_url)} download variant="default" size="compact-sm" mih={44} px="sm">
            {text(anchor.state === 'pending' ? 'evidence.anchor.ots.pending' : 'evidence.anchor.ots')}
          </Button>
        </p>
      )}
      <History anchor={anchor} />
    </div>
  )
}

function Pending({ anchor }: { anchor: EvidenceAnchor }): ReactNode {
  const text = useText()
  return (
    <>
      <p>
        <strong>{text('evidence.anchor.pending')}</strong>
        {anchor.waits_for === null ? null : ` · ${text(`evidence.anchor.waits.${anchor.waits_for}`)}`}
      </p>
      <p className={styles['soft']}>{text('evidence.anchor.pending.text')}</p>
    </>
  )
}

function Anchored({ anchor, block }: { anchor: EvidenceAnchor; block: NonNullable<EvidenceAnchor['block']> }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const sources = block.header_sources.map((source) => (source === 'node' ? text('evidence.anchor.node') : visible(source)))
  return (
    <>
      <p>
        <strong>{text('evidence.anchor.block', { height: block.height })}</strong>{' '}
        <span className={styles['soft']}>{text('evidence.anchor.time', { date: formatExact(block.time, locale) })}</span>
      </p>
      <div>
        <span className={styles['soft']}>{text('evidence.anchor.hash')}</span>
        <Fingerprint value={block.hash} what={text('evidence.anchor.hash')} />
      </div>
      <p className={styles['soft']}>
        {text('evidence.anchor.header', { sources: new Intl.ListFormat(locale).format(sources) })}
        {anchor.anchored_at === null ? null : (
          <>
            <br />
            {text('evidence.anchor.renewed', { date: formatInstant(anchor.anchored_at, locale) })}
          </>
        )}
      </p>
    </>
  )
}

function History({ anchor }: { anchor: EvidenceAnchor }): ReactNode {
  const text = useText()
  const locale = useLocale()
  if (anchor.history.length === 0) return null
  return (
    <details className={styles['history']}>
      <summary>{text('evidence.anchor.history')}</summary>
      <ol>
        {anchor.history.map(({ at, kind, height, to }, i) => (
          <li key={i}>
            <span className={styles['soft']}>{formatExact(at, locale)}</span>{' '}
            {text(`evidence.anchor.event.${kind}`, { height: height ?? 0 })}
            {to === null ? null : (
              <>
                {' · '}
                <code>{visible(to)}</code>
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}
