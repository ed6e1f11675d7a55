import type { ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { turnShortcuts, useShortcutsOn } from '../use-shortcuts.ts'
import styles from '../users.module.css'

const ofQueue = [
  ['J', 'next_row'],
  ['K', 'previous_row'],
  ['Enter', 'open'],
  ['/', 'search'],
  ['[ ]', 'turn'],
] as const
const ofFile = [
  ['1 … 9', 'document'],
  [', .', 'page'],
  ['+ −', 'zoom'],
  ['Z', 'fit'],
  ['R', 'rotate'],
  ['← ↑ → ↓', 'pan'],
  ['B', 'beside'],
  ['C', 'check'],
  ['E', 'expiry'],
  ['A', 'accept'],
  ['X', 'refuse'],
  ['N', 'note'],
  ['M', 'missing'],
  ['W', 'whole'],
  ['Ctrl + Enter', 'decide'],
  ['S', 'skip'],
  ['Q', 'queue'],
  ['Esc', 'leave'],
] as const

/** What each key does, and whether letters do anything (WCAG 2.1, 2.1.4). */
export function KeysDialog(props: { open: boolean; onClose: () => void }): ReactNode {
  const text = useText()
  const on = useShortcutsOn()
  const table = (keys: readonly (readonly [key: string, name: (typeof ofFile | typeof ofQueue)[number][1]])[]) => (
    <dl className={styles['keys']}>
      {keys.map(([key, name]) => (
        <div key={name}>
          <dt>
            <kbd>{key.replace('Enter', text('review.page.keys.enter')).replace('Esc', text('review.page.keys.escape'))}</kbd>
          </dt>
          <dd>{text(`review.page.key.${name}`)}</dd>
        </div>
      ))}
    </dl>
  )
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('review.page.keys')}>
      <label className={styles['check']}>
        <input type="checkbox" checked={on} onChange={(event) => turnShortcuts(event.currentTarget.checked)} />
        {text('review.page.keys.on')}
      </label>
      <h3>{text('review.page.keys.queue')}</h3>
      {table(ofQueue)}
      <h3>{text('review.page.keys.file')}</h3>
      {table(ofFile)}
    </Dialog>
  )
}
