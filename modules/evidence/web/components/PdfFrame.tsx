import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from './preview.module.css'

/** A PDF inside the page, and always a link too: telephones show none in a frame. */
export function PdfFrame(props: { url: string; title: string; download?: { name: string; bytes: number } }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const url = apiAddress(props.url)
  const { download } = props
  return (
    <>
      <p>
        <a href={url} target="_blank" rel="noopener">
          {text('evidence.pdf.open')}
          <span className="visually-hidden"> {text('ui.new_tab')}</span>
        </a>
        {download === undefined ? null : (
          <>
            {' · '}
            <a href={url} download={download.name}>
              {text('evidence.pdf.download', { size: formatBytes(download.bytes, locale) })}
            </a>
          </>
        )}
        <br />
        <span className={styles['soft']}>{text('evidence.pdf.hint')}</span>
      </p>
      {/* The fragment (PDF open parameters) asks for the width of the page and no side pane. */}
      {/* Chromium's PDF viewer does not start in a sandboxed frame; a PDF has no access to this origin, and the server's policy refuses it scripts. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe className={styles['pdf']} src={`${url}#navpanes=0&view=FitH`} title={props.title} loading="lazy" />
    </>
  )
}
