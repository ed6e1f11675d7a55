import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Dialog } from '../../../../../ui/controls/Dialog.tsx'
import { formatBytes } from '../../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../../ui/intl/text.tsx'
import { visible } from '../../../../../ui/intl/visible.ts'
import type { LiveSession } from '../live-session.ts'
import type { LiveView } from '../live-view.ts'
import { focusedFirst, wordsOf } from './form-words.ts'
import styles from './dialogs.module.css'

/** RFC 7617 and its kind: the page's server asks; the realm is a stranger's text. */
export function CredentialsDialog(props: { session: LiveSession; wish: LiveView['credentials'] }): ReactNode {
  const text = useText()
  const user = useId()
  const password = useId()
  const { wish } = props
  return (
    <Dialog open={wish !== null} onClose={() => props.session.decline('credentials')} title={text('live.credentials.title')}>
      {wish === null ? null : (
        <form
          className={styles['form']}
          noValidate
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            const data = new FormData(event.currentTarget)
            event.currentTarget.reset()
            props.session.answerCredentials(wordsOf(data, 'user'), wordsOf(data, 'password'))
          }}
        >
          <p>
            <Message
              id={wish.realm === '' ? 'live.credentials.lead' : 'live.credentials.lead_realm'}
              values={{ origin: visible(wish.origin), realm: visible(wish.realm).slice(0, 200) }}
            />
          </p>
          <p className={styles['quiet']}>{text('live.credentials.masked')}</p>
          <label htmlFor={user}>{text('live.credentials.user')}</label>
          <input
            ref={focusedFirst}
            id={user}
            name="user"
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={1000}
          />
          <label htmlFor={password}>{text('live.credentials.password')}</label>
          <input
            id={password}
            name="password"
            type="password"
            autoComplete="off"
            maxLength={1000}
            data-1p-ignore=""
            data-lpignore="true"
          />
          <div className={styles['actions']}>
            <Button variant="default" size="md" onClick={() => props.session.decline('credentials')}>
              {text('live.decline')}
            </Button>
            <Button type="submit" size="md">
              {text('live.credentials.submit')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

const mostFiles = 20

/** The page wants files: the visitor's own, which then stand in the evidence as what was sent. */
export function FilesDialog(props: { session: LiveSession; wish: LiveView['files']; most: number }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const field = useId()
  const [files, setFiles] = useState<readonly File[]>([])
  const { wish } = props
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const flaw =
    files.length > mostFiles
      ? text('live.files.too_many', { most: mostFiles })
      : bytes > props.most
        ? text('live.files.too_large', { most: formatBytes(props.most, locale) })
        : null
  const close = () => {
    setFiles([])
    props.session.decline('files')
  }
  return (
    <Dialog open={wish !== null} onClose={close} title={text('live.files.title')}>
      {wish === null ? null : (
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            if (files.length === 0 || flaw !== null) return
            props.session.answerFiles(files)
            setFiles([])
          }}
        >
          <p>{text('live.files.lead', { most: formatBytes(props.most, locale) })}</p>
          <label htmlFor={field}>{text('live.files.label', { count: wish.multiple ? 2 : 1 })}</label>
          <input
            id={field}
            type="file"
            multiple={wish.multiple}
            accept={wish.accept}
            aria-describedby={`${field}-error`}
            onChange={(event) => setFiles([...(event.target.files ?? [])])}
          />
          <p id={`${field}-error`} className={styles['error']} role="alert">
            {flaw}
          </p>
          <div className={styles['actions']}>
            <Button variant="default" size="md" onClick={close}>
              {text('live.decline')}
            </Button>
            <Button type="submit" size="md" disabled={files.length === 0 || flaw !== null}>
              {text('live.files.submit', { count: files.length })}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
