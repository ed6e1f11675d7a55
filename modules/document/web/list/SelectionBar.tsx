import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Selection } from '../../../../ui/list/use-selection.ts'
import styles from '../../../../ui/list/list.module.css'
import type { Document } from '../../contract/document.ts'
import type { Category } from '../../domain/status.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { allows, changesIn } from './row-changes.ts'

/** What is done to all that is selected; it stays in sight. */
export function SelectionBar(props: { category: Category; selection: Selection<Document>; onDone: () => void }): ReactNode {
  const text = useText()
  const { category, selection } = props
  const selected = [...selection.rows.values()]
  return (
    <section className={styles['bar']} aria-label={text('document.selection')}>
      <p role="status">
        <strong>{text('document.selected', { count: selected.length })}</strong>
      </p>
      <div className={styles['barActions']}>
        <ChangeButtons
          changes={changesIn[category].map((change) => ({
            change,
            ids: selected.filter((each) => allows(each, change)).map(({ id }) => id),
          }))}
          buttons={{}}
          onDone={() => {
            selection.clear()
            props.onDone()
          }}
        />
        <Button variant="subtle" mih={44} onClick={selection.clear}>
          {text('document.select.none')}
        </Button>
      </div>
    </section>
  )
}
