import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import account from '../account.module.css'
import styles from './api-keys.module.css'

/** A key that was just made: it is seen here and never again. */
export function NewApiKey(props: { readonly name: string; readonly value: string; readonly onKept: () => void }): ReactNode {
  const text = useText()
  const commands = `export PROBANT_API_URL=${location.origin}\nexport PROBANT_API_KEY=…\nnpx probant stamp FILE`
  const heading = useRef<HTMLHeadingElement>(null)
  // What must not be missed is where the reader is.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles['shown']}>
      <h3 ref={heading} tabIndex={-1}>
        {text('identity.keys.shown.title')}
      </h3>
      <p>{text('identity.keys.shown.lead')}</p>
      <div className={styles['secret']}>
        <code>{props.value}</code>
        <CopyButton value={props.value} what={text('identity.keys.shown.what', { name: visible(props.name) })} />
      </div>
      <div>
        <p className={account['soft']}>{text('identity.keys.use')}</p>
        <pre className={styles['commands']} tabIndex={0} aria-label={text('identity.keys.use')}>
          <code>{commands}</code>
        </pre>
      </div>
      <div className={account['actions']}>
        <Button size="md" onClick={props.onKept}>
          {text('identity.keys.shown.kept')}
        </Button>
      </div>
    </div>
  )
}
