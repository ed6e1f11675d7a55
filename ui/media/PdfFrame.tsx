import type { ReactNode } from 'react'
import { apiAddress } from '../api/api-address.ts'
import { formatBytes } from '../intl/format.ts'
import { useLocale, useText } from '../intl/text.tsx'
import styles from './pdf-frame.module.css'

export type PdfWords = { readonly open: string; readonly download: (size: string) => string; readonly hint: string }

export type Pdf = { readonly url: string; readonly download?: { readonly name: string; readonly bytes: number } }

export function PdfLinks(props: Pdf & { words: PdfWords }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const url = apiAddress(props.url)
  const { download, words } = props
  return (
    <>
      <a href={url} target="_blank" rel="noopener">
        {words.open}
        <span className="visually-hidden"> {text('ui.new_tab')}</span>
      </a>
      {download === undefined ? null : (
        <>
          {' · '}
          <a href={url} download={download.name}>
            {words.download(formatBytes(download.bytes, locale))}
          </a>
        </>
      )}
    </>
  )
}

/** A PDF inside the page, and always a link too: telephones show none in a frame. */
export function PdfFrame(props: Pdf & { title: string; words: PdfWords }): ReactNode {
  const url = apiAddress(props.url)
  return (
    <>
      <p>
        <PdfLinks {...props} />
        <br />
        <span className={styles['soft']}>{props.words.hint}</span>
      </p>
      {/* The fragment (PDF open parameters) asks for the width of the page and no side pane. */}
      {/* Chromium's PDF viewer does not start in a sandboxed frame; a PDF has no access to this origin, and the server's policy refuses it scripts. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe className={styles['pdf']} src={`${url}#navpanes=0&view=FitH`} title={props.title} loading="lazy" />
    </>
  )
}
