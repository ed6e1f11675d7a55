import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import type { AdminUser } from '../../contract/review.ts'
import { AccountPanel } from '../components/AccountPanel.tsx'
import { ClaimBar } from '../components/ClaimBar.tsx'
import { KeysDialog } from '../components/KeysDialog.tsx'
import { PastDecisions } from '../components/PastDecisions.tsx'
import { ReviewDesk } from '../components/ReviewDesk.tsx'
import { currentUserQuery } from '../../../account/web/index.ts'
import { isNotFound, userQuery } from '../queries.ts'
import { useGoToQueue, useQueueSearch } from '../queue-search.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import styles from '../users.module.css'

/** One file, whole (H-20): what was sent beside what was typed, and the account. */
export function UserPage(props: { id: string }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const user = useQuery(userQuery(props.id))
  const { data: me } = useQuery(currentUserQuery)
  if (user.isError && user.data === undefined)
    return isNotFound(user.error) ? (
      <NotFoundPage />
    ) : (
      <div role="alert">
        <p>
          {text('review.page.file.failed')} {errorText(user.error)}
        </p>
        <Button variant="default" onClick={() => void user.refetch()}>
          {text('ui.retry')}
        </Button>
      </div>
    )
  if (user.data === undefined || me === undefined) return <p role="status">{text('ui.loading')}</p>
  return <File key={props.id} user={user.data} me={me} />
}

function File(props: {
  user: AdminUser
  me: {
    readonly id: string
    readonly first_name: string | null
    readonly last_name: string | null
    readonly roles: readonly string[]
  }
}): ReactNode {
  const text = useText()
  const search = useQueueSearch()
  const goToQueue = useGoToQueue()
  const [keys, setKeys] = useState(false)
  const { user, me } = props
  const reviewer = { id: me.id, name: visible(`${me.first_name ?? ''} ${me.last_name ?? ''}`.trim()) }
  useShortcuts({ q: () => goToQueue(search), '?': () => setKeys(true) })
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div>
          <button type="button" className={styles['back']} aria-keyshortcuts="q" onClick={() => goToQueue(search)}>
            ← {text('review.page.back')}
          </button>
          <h1>{visible(`${user.first_name} ${user.last_name}`)}</h1>
          <p className={styles['soft']}>
            {visible(user.email)}
            {user.company_name === null ? null : ` – ${visible(user.company_name)}`}
            {user.user_type === null ? null : ` – ${text(`review.page.filter.user_type.${user.user_type}`)}`}
          </p>
        </div>
        <Button variant="default" aria-keyshortcuts="?" onClick={() => setKeys(true)}>
          {text('review.page.keys')}
        </Button>
      </header>
      {user.file === null ? null : (
        <>
          <ClaimBar user={user} reviewer={reviewer} />
          <ReviewDesk key={user.round} user={user} file={user.file} reviewer={reviewer} />
          <PastDecisions history={user.file.history} documents={user.file.documents} />
        </>
      )}
      <AccountPanel user={user} me={me} />
      <KeysDialog open={keys} onClose={() => setKeys(false)} />
    </div>
  )
}
