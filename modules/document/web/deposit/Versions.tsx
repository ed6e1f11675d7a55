import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Document } from '../../contract/document.ts'
import styles from './deposit.module.css'

type Version = { readonly id: string; readonly document_name: string | null; readonly sealed_at: string | null }

/** What it declares to replace, itself, and what declares to replace it: declared, not measured. */
export function Versions(props: { document: Document; name: string; manage: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { document } = props
  const said = ({ document_name: name, sealed_at: at }: Version) =>
    `${name === null ? text('document.versions.unnamed') : visible(name)} · ${at === null ? text('document.versions.unsealed') : formatInstant(at, locale)}`
  const link = (version: Version) => (
    <li key={version.id}>
      <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: version.id }}>
        {said(version)}
      </Link>
    </li>
  )
  const alone = document.replaces === null && document.replaced_by.length === 0
  return (
    <section className={styles['section']} aria-labelledby="versions-heading">
      <h2 id="versions-heading">{text('document.versions')}</h2>
      <p className={styles['soft']}>{text(alone ? 'document.versions.none' : 'document.versions.declared')}</p>
      {alone ? null : (
        <ol className={styles['versions']}>
          {document.replaces === null ? null : link(document.replaces)}
          <li aria-current="true">
            <strong>{props.name}</strong> · {text('document.versions.this')}
          </li>
          {document.replaced_by.map(link)}
        </ol>
      )}
      {props.manage ? (
        <p>
          <Link to="/$locale/documents/pending/" params={{ locale }} search={{ replaces: document.id }}>
            {text('document.versions.new')}
          </Link>
        </p>
      ) : null}
    </section>
  )
}
