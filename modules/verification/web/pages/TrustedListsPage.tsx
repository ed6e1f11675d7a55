import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { callLater } from '../../../../ui/shell/call-later.ts'
import { CopiedValue, Loaded, ReferencePage, ReferenceSection } from '../../../../ui/controls/ReferencePage.tsx'
import styles from '../../../../ui/controls/reference-page.module.css'
import { formatInstant, groupHex } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { compactListsAddress } from '../../contract/list-addresses.ts'
import type { TrustedListsState } from '../../contract/trusted-lists.ts'

type List = TrustedListsState['lists'][number]

/** The trusted lists that qualified status is concluded from here: which, of when, and what could not be read. */
export function TrustedListsPage(): ReactNode {
  const text = useText()
  const query = useQuery({
    queryKey: ['trusted-lists'],
    queryFn: async () => await callLater(async () => (await import('../../contract/trusted-lists.ts')).getTrustedLists, {}),
  })
  return (
    <ReferencePage title={text('ui.page.lists')} lead={[text('verification.lists.lead')]}>
      <Loaded query={query} loading={text('verification.lists.loading')} failed={text('verification.lists.failed')}>
        {(data) => <Lists state={data} />}
      </Loaded>
    </ReferencePage>
  )
}

function Lists({ state }: { state: TrustedListsState }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { source, checked_at, made_at, lists } = state
  // That of all lists first, then as each is called in the language of the page.
  const nameOf = ({ territory }: List) => (territory === 'EU' ? '' : stateName(territory, locale))
  const inOrder = lists.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), locale))
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
          <a href={apiAddress(compactListsAddress)} download="trusted-lists.json">
            {text('verification.lists.compact')}
          </a>
        </p>
      </section>
      <ReferenceSection title={text('verification.lists.all')}>
        <ul className={styles['list']}>
          {inOrder.map((list) => (
            <ListEntry key={list.territory} list={list} shipped={source === 'shipped'} />
          ))}
        </ul>
      </ReferenceSection>
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
        <div className={styles['value']}>
          <span className={styles['soft']}>
            <Message id="verification.lists.digest" values={{ state: name }} />
          </span>
          <CopiedValue
            shown={groupHex(list.sha256)}
            value={list.sha256}
            what={text('verification.lists.digest', { state: name })}
          />
        </div>
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
