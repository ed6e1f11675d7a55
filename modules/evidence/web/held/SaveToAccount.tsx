import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { askToSignIn } from '../../../../ui/api/ask-to-sign-in.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import type { EvidenceToken } from './held-evidences.ts'
import styles from './save-to-account.module.css'

/** H-13, H-26: a key that only this browser holds is easily lost; an account keeps what it opens. Shown to whoever has the key and no account. */
export function SaveToAccount(props: { token: EvidenceToken }): ReactNode {
  const text = useText()
  const session = useSession()
  const { token } = props
  if (session !== null || token === null) return null
  return (
    <p className={styles['save']} data-screen="">
      <span>{text('evidence.account.save.why')}</span>
      <Button size="md" variant="default" onClick={() => void askToSignIn('save', token)}>
        {text('evidence.account.save')}
      </Button>
    </p>
  )
}
