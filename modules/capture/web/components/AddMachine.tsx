import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { inviteServer, type Invitation } from '../../contract/administration.ts'
import styles from '../servers.module.css'

/** Shows once the command by which one machine joins. */
export function AddMachine(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const inviting = useMutation({
    mutationFn: async () => await call(inviteServer, {}),
    onSuccess: setInvitation,
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  const command = invitation === null ? '' : `npx probant server join ${invitation.token}`
  const close = () => setInvitation(null)
  return (
    <>
      <div className={styles['actions']}>
        <Button variant="default" loading={inviting.isPending} onClick={() => inviting.mutate()}>
          {text('capture.servers.invite')}
        </Button>
      </div>
      <Dialog open={invitation !== null} onClose={close} title={text('capture.servers.invite.title')}>
        <p>
          {invitation === null ? '' : text('capture.servers.invite.text', { at: formatInstant(invitation.expires_at, locale) })}
        </p>
        <p className={styles['command']}>
          <code>{command}</code>
        </p>
        <div className={styles['dialogActions']}>
          <CopyButton value={command} what={text('capture.servers.invite.command')} />
          <Button variant="default" onClick={close}>
            {text('capture.servers.invite.done')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
