import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { brandOf } from '../../../../ui/shell/brand.ts'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import styles from '../identity.module.css'

const ContentMarkdown = lazy(async () => ({
  default: (await loadChunk(() => import('../../../../ui/markdown/ContentMarkdown.tsx'))).ContentMarkdown,
}))

/** The terms are read where they are accepted: nothing that was typed is left behind. An operator has his own (decision H-19). */
export function ReadTerms(): ReactNode {
  const text = useText()
  const brand = brandOf(location.pathname)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles['link']} onClick={() => setOpen(true)}>
        {text('identity.page.terms.read')}
      </button>
      {brand === null || brand.terms === null ? null : (
        <a className={styles['link']} href={brand.terms} target="_blank" rel="noreferrer">
          {text('identity.page.terms.partner', { brand: brand.name })}
          <span className="visually-hidden"> {text('ui.new_tab')}</span>
        </a>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title={text('identity.page.terms.title')}>
        <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
          <ContentMarkdown path="legal/terms" />
        </Suspense>
      </Dialog>
    </>
  )
}
