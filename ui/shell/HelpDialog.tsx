import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import { loadChunk } from './chunk-failure.ts'
import styles from './layouts.module.css'

const HelpText = lazy(async () => ({ default: (await loadChunk(() => import('./HelpText.tsx'))).HelpText }))

/** L-10, D-05: what this page does and what its words mean; the text comes from `/_content`, only when asked for. */
export function HelpDialog(props: { name: string; page: string }): ReactNode {
  const text = useText()
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(false)
  return (
    <>
      <button
        type="button"
        className={styles['icon']}
        aria-label={text('ui.help.open')}
        title={text('ui.help.open')}
        aria-haspopup="dialog"
        onClick={() => {
          setAsked(true)
          setOpen(true)
        }}
      >
        <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.6">
          <circle cx="12" cy="12" r="9.2" />
          <path d="M9.4 9.4a2.7 2.7 0 1 1 3.9 2.6c-.9.5-1.3 1-1.3 1.9" strokeLinecap="round" />
          <circle cx="12" cy="16.8" r="0.6" fill="currentColor" />
        </svg>
      </button>
      {asked ? (
        <Suspense fallback={null}>
          <HelpText name={props.name} page={props.page} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
