import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { formatExact, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Act } from '../../contract/identity.ts'
import account from '../account.module.css'
import styles from './acts.module.css'
import { ActWords, useAuthorText } from './ActWords.tsx'

/** One line of the record, to whom it concerns. */
export function OwnActRow(props: { act: Act; readerId: string | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const authorText = useAuthorText(props.readerId)
  const { act } = props
  const evidence = act.subject?.type === 'evidence' ? act.subject.id : null
  return (
    <li className={account['row']}>
      <div className={account['what']}>
        <strong>
          <ActWords act={act} />
        </strong>
        <p className={account['soft']}>
          <time dateTime={act.at}>{formatInstant(act.at, locale)}</time> · {authorText(act)}
        </p>
      </div>
      {evidence === null ? null : (
        <Link
          className={styles['link']}
          to="/$locale/capture/$id/"
          params={{ locale, id: evidence }}
          aria-label={`${text('identity.acts.open_evidence')} – ${formatInstant(act.at, locale)}`}
        >
          {text('identity.acts.open_evidence')}
        </Link>
      )}
    </li>
  )
}

/** The same line to an administrator: whom it names can be followed, and what the chain holds of it is shown. */
export function ActRow(props: { act: Act; onPerson: (id: string) => void; onSubject: (id: string) => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const authorText = useAuthorText(null)
  const { act, onPerson, onSubject } = props
  const { subject } = act
  const people = [act.actor, act.on_behalf_of].filter((each) => each !== null)
  const data = Object.entries(act.data)
  return (
    <li className={account['row']}>
      <div className={account['what']}>
        <strong>
          <ActWords act={act} />
        </strong>
        <p className={account['soft']}>
          <time dateTime={act.at}>{formatExact(act.at, locale)}</time> · {authorText(act)}
        </p>
        <details className={styles['details']}>
          <summary>{text('identity.acts.line', { number: act.number })}</summary>
          <dl>
            <dt>{text('identity.acts.action')}</dt>
            <dd>
              <code>{act.action}</code>
            </dd>
            {subject === null ? null : (
              <>
                <dt>{text('identity.acts.done_to')}</dt>
                <dd>
                  <code>
                    {subject.type} {subject.id}
                  </code>
                </dd>
              </>
            )}
            {data.length === 0 ? null : (
              <>
                <dt>{text('identity.acts.data')}</dt>
                <dd>
                  <code>{data.map(([name, value]) => `${name}: ${String(value)}`).join('\n')}</code>
                </dd>
              </>
            )}
            <dt>{text('identity.acts.hash')}</dt>
            <dd>
              <code>{act.hash}</code> <CopyButton value={act.hash} what={text('identity.acts.hash')} />
            </dd>
          </dl>
          <div className={styles['follow']}>
            {people.map((person) => (
              <button key={person.id} type="button" onClick={() => onPerson(person.id)}>
                {text('identity.acts.only_person', { name: person.name === '' ? person.id : person.name })}
              </button>
            ))}
            {subject === null ? null : (
              <button type="button" onClick={() => (subject.type === 'user' ? onPerson(subject.id) : onSubject(subject.id))}>
                {text('identity.acts.only_subject')}
              </button>
            )}
          </div>
        </details>
      </div>
    </li>
  )
}
