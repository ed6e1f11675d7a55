import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { saveFile } from '../../../../ui/api/save-file.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Document } from '../../contract/document.ts'
import styles from './deposit.module.css'

type Links = Pick<Document, 'id' | 'eidas' | 'certificates' | 'proofs_url' | 'evidence_record_url' | 'ots_url' | 'chainpoint_url'>

/** C-75, C-76: what proves the deposit, each file under its name. */
export function Proofs(props: { document: Links }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { document } = props
  const certificate = document.certificates?.[locale] ?? null
  const files = [
    { kind: 'proofs', url: document.proofs_url, name: `proofs_${document.id}.zip` },
    { kind: 'certificate', url: certificate, name: `deposit_${document.id}.pdf` },
    { kind: 'tsr', url: document.eidas, name: 'document.tsr' },
    { kind: 'ers', url: document.evidence_record_url, name: 'document.ers' },
    { kind: 'ots', url: document.ots_url, name: 'document.ots' },
    { kind: 'chainpoint', url: document.chainpoint_url, name: 'document.chainpoint.json' },
  ] as const
  return (
    <section className={styles['section']} aria-labelledby="proofs-heading" data-screen="">
      <h2 id="proofs-heading">{text('document.proofs')}</h2>
      <ul className={styles['files']}>
        {files.map(({ kind, url, name }) =>
          url === null ? null : (
            <li key={kind}>
              <Save url={url} name={name} words={text(`document.proof.${kind}`)} main={kind === 'proofs'} />
              <p className={styles['soft']}>{text(`document.proof.${kind}.text`)}</p>
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

function Save(props: { url: string; name: string; words: string; main: boolean }): ReactNode {
  const [busy, setBusy] = useState(false)
  return (
    <div>
      <Button
        size="md"
        h="auto"
        py="xs"
        mih="2.75rem"
        classNames={{ label: styles['wrapped'] ?? '' }}
        variant={props.main ? 'filled' : 'default'}
        loading={busy}
        onClick={() => {
          setBusy(true)
          void saveFile({ url: props.url, name: props.name, bytes: 0 }).finally(() => setBusy(false))
        }}
      >
        {props.words}
      </Button>
    </div>
  )
}
