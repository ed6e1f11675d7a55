import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../ui/intl/text.tsx'
import { askAgain, offered, useAgreed } from '../../../ui/services/choice.ts'
import styles from './outside.module.css'

/** What was chosen, and the way to choose anew; nothing where nobody else is spoken to. */
export function AskAgain(): ReactNode {
  const text = useText()
  const agreed = useAgreed()
  if (offered.length === 0) return null
  return (
    <div className={styles['again']}>
      <p role="status">
        {agreed === null
          ? text('outside.choice.none')
          : agreed.length === 0
            ? text('outside.choice.refused')
            : text('outside.choice.agreed', { names: agreed.map((kind) => text(`outside.kind.${kind}`)).join(', ') })}
      </p>
      {agreed === null ? null : (
        <Button variant="default" size="md" onClick={askAgain}>
          {text('outside.ask_again')}
        </Button>
      )}
    </div>
  )
}
