import { useState, type ReactNode } from 'react'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { LiveView } from '../session/live-view.ts'
import { Field, FormDialog } from './FormDialog.tsx'
import { focusedFirst, wordsOf } from './form-words.ts'
import styles from './dialogs.module.css'

/** RFC 7617 and its kind: the page's server asks; the realm is a stranger's text. */
export function CredentialsDialog(props: { session: LiveSession; wish: LiveView['credentials'] }): ReactNode {
  const text = useText()
  const { wish } = props
  const decline = () => props.session.decline('credentials')
  return (
    <FormDialog
      open={wish !== null}
      title={text('live.credentials.title')}
      lead={
        wish === null ? null : (
          <Message
            id={wish.realm === '' ? 'live.credentials.lead' : 'live.credentials.lead_realm'}
            values={{ origin: visible(wish.origin), realm: visible(wish.realm).slice(0, 200) }}
          />
        )
      }
      submit={text('live.credentials.submit')}
      decline={text('live.decline')}
      onClose={decline}
      onSubmit={(form) => {
        const data = new FormData(form)
        form.reset()
        props.session.answerCredentials(wordsOf(data, 'user'), wordsOf(data, 'password'))
      }}
    >
      <p className={styles['quiet']}>{text('live.credentials.masked')}</p>
      <Field label={text('live.credentials.user')} flaw={null}>
        {(names) => (
          <input
            {...names}
            ref={focusedFirst}
            name="user"
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={1000}
          />
        )}
      </Field>
      <Field label={text('live.credentials.password')} flaw={null}>
        {(names) => (
          <input
            {...names}
            name="password"
            type="password"
            autoComplete="off"
            maxLength={1000}
            data-1p-ignore=""
            data-lpignore="true"
          />
        )}
      </Field>
    </FormDialog>
  )
}

const mostFiles = 20

/** The page wants files: the visitor's own, which then stand in the evidence as what was sent. */
export function FilesDialog(props: { session: LiveSession; wish: LiveView['files']; most: number }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [files, setFiles] = useState<readonly File[]>([])
  const { wish } = props
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const flaw =
    files.length > mostFiles
      ? text('live.files.too_many', { most: mostFiles })
      : bytes > props.most
        ? text('live.files.too_large', { most: formatBytes(props.most, locale) })
        : null
  return (
    <FormDialog
      open={wish !== null}
      title={text('live.files.title')}
      lead={text('live.files.lead', { most: formatBytes(props.most, locale) })}
      submit={text('live.files.submit', { count: files.length })}
      decline={text('live.decline')}
      ready={files.length > 0 && flaw === null}
      onClose={() => {
        setFiles([])
        props.session.decline('files')
      }}
      onSubmit={() => {
        props.session.answerFiles(files)
        setFiles([])
      }}
    >
      {wish === null ? null : (
        <Field label={text('live.files.label', { count: wish.multiple ? 2 : 1 })} flaw={flaw}>
          {(names) => (
            <input
              {...names}
              type="file"
              multiple={wish.multiple}
              accept={wish.accept}
              onChange={(event) => setFiles([...(event.target.files ?? [])])}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
