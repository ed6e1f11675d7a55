import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AssignedServer } from '../../contract/administration.ts'
import styles from '../servers.module.css'
import { useMachine } from '../use-machine.ts'

/** Has a server take nothing new, or takes it out of the installation (decision 0470). */
export function MachineActs({ server }: { server: AssignedServer }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const { busy, change } = useMachine(close)
  const { drained_at: drainedAt } = server
  return (
    <footer className={styles['acts']}>
      {drainedAt === null ? null : (
        <p className={styles['caution']}>{text('capture.servers.drained_since', { at: formatInstant(drainedAt, locale) })}</p>
      )}
      <div className={styles['actions']}>
        <Button
          variant="default"
          loading={busy && !asking}
          onClick={() => change({ server, to: drainedAt === null ? 'drain' : 'resume' })}
        >
          {text(drainedAt === null ? 'capture.servers.drain' : 'capture.servers.resume')}
        </Button>
        <Button variant="default" onClick={() => setAsking(true)}>
          {text('capture.servers.remove')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={text('capture.servers.remove.title', { server: visible(server.name) })}
        text={text('capture.servers.remove.text', { sessions: server.interactive.running, waiting: server.waiting })}
        confirm={text('capture.servers.remove')}
        cancel={text('capture.servers.cancel')}
        destructive
        busy={busy}
        onConfirm={() => change({ server, to: 'remove' })}
        onClose={close}
      />
    </footer>
  )
}
