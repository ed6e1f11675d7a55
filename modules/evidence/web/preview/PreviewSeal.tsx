import type { ReactNode } from 'react'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { EvidenceSeal } from '../../contract/evidence.ts'
import styles from './preview.module.css'

/** What is shown is already sealed (decision 0002): when, under which root, and by whom it was dated. */
export function PreviewSeal(props: { seal: EvidenceSeal }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { seal } = props
  return (
    <section className={styles['seal']} aria-label={text('evidence.preview.seal')}>
      {/^[0-9a-f]{64}$/.test(seal.root) ? (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(sealRosette(seal.root, { size: 88, title: '' }))}`}
          width={88}
          height={88}
          alt={text('evidence.result.rosette', { root: seal.root.slice(0, 16) })}
        />
      ) : null}
      <div className={styles['sealWords']}>
        <p>
          <strong>{text('evidence.preview.sealed')}</strong> {formatExact(seal.signed_at, locale)}{' '}
          <span className={styles['soft']}>{text('evidence.preview.sealed.why')}</span>
        </p>
        {seal.timestamps.map((stamp) => (
          <p key={`${stamp.authority} ${stamp.gen_time}`}>
            {text('evidence.preview.dated')} {formatExact(stamp.gen_time, locale)}{' '}
            {text('evidence.result.by', { signer: visible(stamp.authority) })} ·{' '}
            <strong>{text(`evidence.result.${stamp.qualification}`)}</strong>
          </p>
        ))}
        <p className={styles['root']}>
          <span>
            {text('evidence.result.root')}{' '}
            <code title={seal.root}>
              {seal.root.slice(0, 16)}…{seal.root.slice(-8)}
            </code>
          </span>
          <CopyButton value={seal.root} what={text('evidence.result.root')} />
        </p>
      </div>
    </section>
  )
}
