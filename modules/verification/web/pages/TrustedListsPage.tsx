import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { call } from '../../../../ui/api/call.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { getCompactTrustedLists, getTrustedLists, type TrustedListsState } from '../../contract/trusted-lists.ts'
import styles from './trusted-lists.module.css'

type List = TrustedListsState['lists'][number]

/** The trusted lists that qualified status is concluded from here: which, of when, and what could not be read. */
export function TrustedListsPage(): ReactNode {
  const text = useText()
  const { data, isError, refetch } = useQuery({
    queryKey: ['trusted-lists'],
    queryFn: async () => await call(getTrustedLists, {}),
  })
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1>{text('site.lists.title')}</h1>
        <p className={styles['lead']}>{text('verification.lists.lead')}</p>
      </header>
      {data === undefined && !isError ? <p role="status">{text('verification.lists.loading')}</p> : null}
      {isError ? (
        <div role="alert">
          <p>{text('verification.lists.failed')}</p>
          <button type="button" onClick={() => void refetch()}>
            {text('ui.retry')}
          </button>
        </div>
      ) : null}
      {data === undefined ? null : <Lists state={data} />}
    </div>
  )
}

function Lists({ state }: { state: TrustedListsState }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { source, checked_at, made_at, lists } = state
  return (
    <>
      <section className={styles['section']}>
        <p>
          {source === 'shipped'
            ? text('verification.lists.source.shipped')
            : text('verification.lists.source.read', { at: formatInstant(checked_at ?? made_at, locale) })}
        </p>
        <p className={styles['soft']}>
          {text('verification.lists.journal', { journal: state.journal })} <a href={state.journal_url}>{state.journal_url}</a>
        </p>
        <p className={styles['files']}>
          <a href={apiAddress(getCompactTrustedLists.path)} download="trusted-lists.json">
            {text('verification.lists.compact')}
          </a>
        </p>
      </section>
      <section className={styles['section']}>
        <h2>{text('verification.lists.all')}</h2>
        <ul className={styles['list']}>
          {lists.map((list) => (
            <ListEntry key={list.territory} list={list} shipped={source === 'shipped'} />
          ))}
        </ul>
      </section>
    </>
  )
}

function ListEntry({ list, shipped }: { list: List; shipped: boolean }): ReactNode {
  const text = useText()
  const optional = useOptionalText()
  const locale = useLocale()
  const name = list.territory === 'EU' ? text('verification.lists.lotl') : stateName(list.territory, locale)
  const reason = list.flaw === null ? null : (optional(`verification.trusted_list.flaw.${list.flaw}`, {}) ?? list.flaw)
  return (
    <li data-state={list.state}>
      <h3>{name}</h3>
      {list.operator === null ? null : <p className={styles['soft']}>{visible(list.operator)}</p>}
      {list.sequence_number === null || list.issued_at === null ? null : (
        <p>
          {text('verification.lists.number', { number: list.sequence_number, at: formatInstant(list.issued_at, locale) })}
          {' · '}
          {termOf(list)}
          {list.territory === 'EU' ? null : ` · ${text('verification.lists.services', { count: list.services })}`}
        </p>
      )}
      {shipped && list.state === 'unread' ? null : (
        <p className={styles['soft']}>
          {list.state === 'kept' && reason !== null
            ? text('verification.lists.state.kept', { reason })
            : list.state === 'missing' && reason !== null
              ? text('verification.lists.state.missing_why', { reason })
              : text(`verification.lists.state.${list.state === 'kept' ? 'unread' : list.state}`)}
        </p>
      )}
      {list.sha256 === null ? null : (
        <p className={styles['digest']}>
          <span className={styles['soft']}>{text('verification.lists.digest', { state: name })}</span>
          <code>{groupHex(list.sha256)}</code>
          <CopyButton value={list.sha256} what={text('verification.lists.digest', { state: name })} />
        </p>
      )}
    </li>
  )

  function termOf({ next_update, expired }: List): string {
    if (next_update === null) return text('verification.lists.closed')
    return text(expired ? 'verification.lists.expired' : 'verification.lists.next', { at: formatInstant(next_update, locale) })
  }
}

/** The lists have two codes of their own (TS 119 612 §5.3.10). */
function stateName(territory: string, locale: string): string {
  const code = { EL: 'GR', UK: 'GB' }[territory] ?? territory
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? territory
}
