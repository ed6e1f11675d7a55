import type { ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useText } from '../intl/text.tsx'
import { turnKeys, useKeysOn } from './keys.ts'
import styles from './list.module.css'

const legend = [
  [['j', '↓'], 'ui.list.keys.next'],
  [['k', '↑'], 'ui.list.keys.previous'],
  [['Home', 'End'], 'ui.list.keys.ends'],
  [['Enter'], 'ui.list.keys.open'],
  [['x', 'Space'], 'ui.list.keys.select'],
  [['/'], 'ui.list.keys.search'],
  [['?'], 'ui.list.keys.legend'],
] as const

/** What keys do in a list, and the way to have them do nothing. */
export function KeysLegend(props: { open: boolean; onClose: () => void }): ReactNode {
  const text = useText()
  const on = useKeysOn()
  const nameOf = (key: string) =>
    key === 'Home' || key === 'End' || key === 'Enter' || key === 'Space' ? text(`ui.list.key.${key}`) : key
  return (
    <Dialog open={props.open} title={text('ui.list.keys')} onClose={props.onClose}>
      <dl className={styles['legend']}>
        {legend.map(([keys, id]) => (
          <div key={id} className={styles['legendLine']}>
            <dt>
              {keys.map((key, i) => (
                <span key={key}>
                  {i === 0 ? null : ' '}
                  <kbd>{nameOf(key)}</kbd>
                </span>
              ))}
            </dt>
            <dd>{text(id)}</dd>
          </div>
        ))}
      </dl>
      <label className={styles['check']}>
        <input type="checkbox" checked={on} onChange={(event) => turnKeys(event.currentTarget.checked)} />
        <span>{text('ui.list.keys.on')}</span>
      </label>
    </Dialog>
  )
}
