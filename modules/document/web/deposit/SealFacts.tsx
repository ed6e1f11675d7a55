import type { ReactNode } from 'react'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Document } from '../../contract/document.ts'
import styles from './deposit.module.css'

/** The fingerprints as they were received, and each of the dates with who gave it. */
export function SealFacts(props: { document: Pick<Document, 'sha256' | 'sha512' | 'seal' | 'anchor' | 'status'> }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { sha256, sha512, seal, anchor } = props.document
  const print = (name: string, value: string) => [name, <Fingerprint key="print" value={value} what={name} />] as const
  const exact = (at: string) => formatExact(at, locale)
  return (
    <Facts
      rows={[
        print(text('document.fact.sha256'), sha256),
        ...(sha512 === null ? [] : [print(text('document.fact.sha512'), sha512)]),
        ...(seal === null
          ? []
          : [
              ...seal.timestamps.map(
                ({ authority, gen_time: at, qualification, embedded }, i) =>
                  [
                    seal.timestamps.length === 1 ? text('document.fact.dated') : `${text('document.fact.dated')} (${i + 1})`,
                    <>
                      {exact(at)} <span className={styles['soft']}>{text('document.fact.by', { name: visible(authority) })}</span>
                      <br />
                      <strong>{text(`document.fact.${qualification}`)}</strong>
                      {embedded ? ` · ${text('document.fact.embedded')}` : null}
                    </>,
                  ] as const,
              ),
              [text('document.fact.signed'), exact(seal.signed_at)] as const,
              [
                text('document.fact.log'),
                seal.log === null
                  ? text('document.fact.log.none')
                  : text('document.fact.log.entry', {
                      index: seal.log.index,
                      origin: visible(seal.log.origin),
                      date: exact(seal.log.logged_at),
                    }),
              ] as const,
              [
                text('document.fact.batch'),
                text('document.fact.batch.of', { size: seal.batch.size, steps: seal.batch.steps }),
              ] as const,
              ...(seal.root === sha256 ? [] : [print(text('document.fact.root'), seal.root)]),
            ]),
        ...(anchor === null
          ? []
          : [
              [
                text('document.fact.anchor'),
                <>
                  {text(`document.anchor.${anchor.state}`)}
                  {anchor.block_height === null ? null : ` · ${text('document.fact.block', { height: anchor.block_height })}`}
                  {anchor.anchored_at === null ? null : ` · ${exact(anchor.anchored_at)}`}
                </>,
              ] as const,
            ]),
      ]}
    />
  )
}
