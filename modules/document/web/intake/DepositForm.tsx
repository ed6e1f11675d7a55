import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { currentSession } from '../../../../ui/api/session.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { depositLink } from '../deposit/deposit-link.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { documentDescription, documentLabel } from '../../contract/document.ts'
import { Cost, useProfileFirst } from '../../../billing/web/index.ts'
import { largestBatch, largestDirect } from '../../domain/status.ts'
import { makeBatches } from './make-batches.ts'
import type { WholeBatch } from '../outbox/outbox-store.ts'
import { useTheOutbox } from '../outbox/use-outbox.ts'
import { StoreTick } from '../copy/StoreTick.tsx'
import { holdForCopies } from '../copy/use-uploads.ts'
import { documentQuery, earlierQuery } from '../deposit/queries.ts'
import type { Intake, IntakeGlance } from './intake.ts'
import { nextTask } from './next-task.ts'
import styles from '../deposit/panels.module.css'

/** What is deposited, and how it is declared. */
export function DepositForm(props: { intake: Intake; glance: IntakeGlance; user: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const id = useId()
  const outbox = useTheOutbox()
  const { intake, glance } = props
  const asked: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const replaces = typeof asked['replaces'] === 'string' ? asked['replaces'] : null
  const [hideNames, setHideNames] = useState(false)
  const [store, setStore] = useState(false)
  const [once, setOnce] = useState(true)
  const [label, setLabel] = useState('')
  const [description, setDescription] = useState('')
  const { counts, twins } = glance
  const count = once ? counts.hashed - twins : counts.hashed
  const profileFirst = useProfileFirst('document', count <= largestBatch ? count : 0)
  const single = count === 1
  const faults = {
    label: documentLabel.safeParse(label).success ? null : text('document.deposit.label.invalid'),
    description: documentDescription.safeParse(description).success ? null : text('document.deposit.description.invalid'),
  }
  const depositing = useMutation({
    // The network may well be away: what is deposited then is kept, and sent later.
    networkMode: 'always',
    mutationFn: async (agree: boolean) => {
      const session = currentSession()
      if (outbox === null || session === null) throw new Error('nobody is signed in')
      const files = intake.hashed(once)
      const batches: WholeBatch[] = []
      const making = makeBatches(
        files,
        { agree, hideNames, store, label: label.trim(), description: description.trim(), replaces: single ? replaces : null },
        { user: session.userId, delegation: session.delegation },
        { id: () => crypto.randomUUID(), now: () => new Date(serverNow()) },
      )
      for (const batch of making) {
        batches.push(batch)
        await nextTask()
      }
      await outbox.keep(batches)
      if (store && agree) holdForCopies(files.map(({ id, sha256 }) => ({ sha256, file: intake.fileOf(id) })))
      // Kept: the list may let them go.
      intake.letGo(files)
      await outbox.send()
    },
    onSuccess: () => {
      if (replaces !== null) void navigate({ to: '/$locale/documents/pending/', params: { locale }, search: {}, replace: true })
    },
    onError: () => notify('error', text('document.deposit.not_kept'), text('ui.notice.dismiss')),
  })
  const left = counts.hashing + counts.waiting + counts.paused
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (faults.label === null && faults.description === null) depositing.mutate(true)
      }}
    >
      <h2>{text('document.deposit.title', { count })}</h2>
      {replaces === null ? null : <Replaced id={replaces} single={single} />}
      {counts.hashed > largestDirect ? null : <Earlier intake={intake} glance={glance} />}
      {twins === 0 ? null : (
        <div className={styles['tick']}>
          <input id={`${id}-once`} type="checkbox" checked={once} onChange={(event) => setOnce(event.currentTarget.checked)} />
          <label htmlFor={`${id}-once`}>{text('document.deposit.once', { count: twins })}</label>
        </div>
      )}
      <div className={styles['tick']}>
        <input
          id={`${id}-hide`}
          type="checkbox"
          checked={hideNames}
          aria-describedby={`${id}-hide-hint`}
          onChange={(event) => setHideNames(event.currentTarget.checked)}
        />
        <label htmlFor={`${id}-hide`}>{text('document.deposit.hide')}</label>
        <p id={`${id}-hide-hint`} className={styles['soft']}>
          {text('document.deposit.hide.hint')}
        </p>
      </div>
      <StoreTick checked={store} count={count} sizes={() => intake.hashed(once).map(({ size }) => size)} onChange={setStore} />
      <div className={styles['field']}>
        <label htmlFor={`${id}-label`}>{text('document.deposit.label')}</label>
        <input
          id={`${id}-label`}
          value={label}
          maxLength={200}
          autoComplete="off"
          aria-invalid={faults.label !== null}
          aria-describedby={`${id}-label-hint`}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <p id={`${id}-label-hint`} className={styles['soft']}>
          {faults.label ?? text('document.deposit.label.hint')}
        </p>
      </div>
      {single ? (
        <div className={styles['field']}>
          <label htmlFor={`${id}-description`}>{text('document.deposit.description')}</label>
          <textarea
            id={`${id}-description`}
            rows={3}
            value={description}
            maxLength={2000}
            aria-invalid={faults.description !== null}
            aria-describedby={`${id}-description-hint`}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <p id={`${id}-description-hint`} className={styles['soft']}>
            {faults.description ?? text('document.deposit.description.hint')}
          </p>
        </div>
      ) : null}
      {left === 0 ? null : <p className={styles['soft']}>{text('document.deposit.others', { count: left })}</p>}
      {count > 0 && count <= largestBatch ? <Cost category="document" quantity={count} /> : null}
      <div className={styles['buttons']}>
        <Button
          type="submit"
          size="md"
          variant={profileFirst ? 'default' : 'filled'}
          disabled={outbox === null}
          loading={depositing.isPending && depositing.variables}
        >
          {text('document.deposit.agree', { count })}
        </Button>
        <Button
          variant="default"
          size="md"
          disabled={outbox === null}
          loading={depositing.isPending && !depositing.variables}
          onClick={() => depositing.mutate(false)}
        >
          {text('document.deposit.draft', { count })}
        </Button>
      </div>
      <p className={styles['soft']}>{text('document.deposit.draft.hint')}</p>
    </form>
  )
}

/** The deposit that this one will be declared to replace. */
function Replaced(props: { id: string; single: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data } = useQuery(documentQuery(props.id))
  const name = visible(data?.document_name ?? data?.sha256.slice(0, 16) ?? props.id)
  return (
    <p className={styles['notice']} {...(props.single ? {} : { 'data-kind': 'caution' })}>
      {text(props.single ? 'document.deposit.replaces' : 'document.deposit.replaces.many', { name })}{' '}
      <Link to="/$locale/documents/pending/" params={{ locale }} search={{}}>
        {text('document.deposit.replaces.not')}
      </Link>
    </p>
  )
}

/** Of a few files it is asked before they are deposited whether they were; of many the answer says so. Only fingerprints are asked for. */
function Earlier(props: { intake: Intake; glance: IntakeGlance }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const files = props.intake.hashed(true)
  const { data } = useQuery(earlierQuery(files.map(({ sha256 }) => sha256)))
  const found = files.flatMap(({ id, path, sha256 }) => {
    const earlier = data?.get(sha256)
    return earlier === undefined ? [] : [{ id, path, earlier }]
  })
  if (found.length === 0) return null
  return (
    <div className={styles['notice']} data-kind="caution" role="status">
      <p>{text('document.deposit.earlier', { count: found.length })}</p>
      <ul>
        {found.map(({ id, path, earlier }) => (
          <li key={id}>
            <Message
              id="document.deposit.earlier.one"
              values={{
                name: <bdi>{visible(path)}</bdi>,
                date: formatInstant(earlier.sealed_at ?? earlier.created_at, locale),
                a: depositLink(locale, earlier.id),
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
