import { Button } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeEvidences } from '../../contract/account-endpoints.ts'
import { listEvidences } from '../../contract/endpoints.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../error-text.ts'
import styles from '../pages/evidences.module.css'
import { EvidenceRow } from './EvidenceRow.tsx'
import { NoEvidence } from './NoEvidence.tsx'

type Category = 'draft' | 'completed' | 'trash'
const pageSize = 20
const addresses = {
  draft: '/$locale/evidences/pending/',
  completed: '/$locale/evidences/completed/',
  trash: '/$locale/evidences/trash/',
} as const
const empty = {
  draft: 'evidence.list.empty.pending',
  completed: 'evidence.list.empty.completed',
  trash: 'evidence.account.empty.trash',
} as const

/** C-24: what the account reaches. What is searched for, and which page, stands in the address. */
export function AccountEvidences(props: { category: Category; userId: string }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { category } = props
  const asked: { search?: unknown; page?: unknown } = useSearch({ strict: false })
  const search = typeof asked.search === 'string' || typeof asked.search === 'number' ? String(asked.search).slice(0, 200) : ''
  const page = Math.max(1, Math.trunc(Number(asked.page ?? 1)) || 1)
  const query = { category, page, page_size: pageSize, ...(search === '' ? {} : { search }) }
  const list = useQuery({
    queryKey: ['evidences', null, query] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(listEvidences, { query, signal }),
    placeholderData: keepPreviousData,
  })
  const go = (next: { search?: string; page?: number }) =>
    void navigate({
      to: addresses[category],
      params: { locale },
      search: next,
      replace: next.page === undefined,
      resetScroll: next.page !== undefined,
    })
  const { data } = list
  if (data === undefined)
    return list.isError ? (
      <div className={styles['empty']} role="alert">
        <p>
          {text('evidence.account.failed')} {errorText(list.error)}
        </p>
        <p>
          <Button variant="default" onClick={() => void list.refetch()}>
            {text('ui.retry')}
          </Button>
        </p>
      </div>
    ) : (
      <p role="status">{text('ui.loading')}</p>
    )
  if (data.count === 0 && search === '' && page === 1) return <NoEvidence title={text(empty[category])} />
  return (
    <>
      <p className={styles['soft']}>{text(category === 'trash' ? 'evidence.account.trash.lead' : 'evidence.account.lead')}</p>
      <Search key={search} search={search} onSearch={(next) => go(next === '' ? {} : { search: next })} />
      {data.results.length === 0 ? (
        <div className={styles['empty']} role="status">
          <h2>{text('evidence.account.empty.found')}</h2>
          <p>{text('evidence.account.empty.found.text')}</p>
          <p>
            <Button variant="default" onClick={() => go({})}>
              {text('evidence.account.search.all')}
            </Button>
          </p>
        </div>
      ) : (
        <ul className={styles['list']} aria-busy={list.isPlaceholderData}>
          {data.results.map((evidence) => (
            <EvidenceRow
              key={evidence.id}
              held={evidence}
              evidence={evidence}
              failed={false}
              more={<Whose evidence={evidence} userId={props.userId} />}
              action={<Move evidence={evidence} to={category === 'trash' ? 'restore' : 'trash'} />}
            />
          ))}
        </ul>
      )}
      <Pages
        page={page}
        pages={data.count_capped ? null : Math.max(1, Math.ceil(data.count / pageSize))}
        next={data.next !== null}
        onPage={(next) => go({ ...(search === '' ? {} : { search }), ...(next === 1 ? {} : { page: next }) })}
      />
    </>
  )
}

/** H-22, H-23: of a group, or in somebody’s name, more than one’s own is listed. */
function Whose(props: { evidence: Evidence; userId: string }): ReactNode {
  const text = useText()
  const { owner, created_by } = props.evidence
  return (
    <>
      {owner === null || owner.id === props.userId ? null : (
        <> · {text('evidence.account.owner', { name: visible(owner.name) })}</>
      )}
      {created_by === null || created_by.id === (owner?.id ?? props.userId) ? null : (
        <> · {text('evidence.account.by', { name: visible(created_by.name) })}</>
      )}
      {props.evidence.label === '' ? null : <> · {visible(props.evidence.label)}</>}
    </>
  )
}

function Search(props: { search: string; onSearch: (search: string) => void }): ReactNode {
  const text = useText()
  const id = useId()
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('search')
        props.onSearch(typeof typed === 'string' ? typed.trim() : '')
      }}
    >
      <label htmlFor={id}>{text('evidence.account.search.label')}</label>
      <div>
        <input id={id} name="search" type="search" defaultValue={props.search} maxLength={200} autoComplete="off" />
        <Button type="submit" variant="default">
          {text('evidence.account.search')}
        </Button>
      </div>
    </form>
  )
}

/** What is put in the trash can be taken out of it: nothing is asked first. */
function Move(props: { evidence: Evidence; to: 'trash' | 'restore' }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { evidence, to } = props
  const optionalText = useOptionalText()
  const failed = (words: string) => notify('error', words, text('ui.notice.dismiss'))
  const moving = useMutation({
    mutationFn: () => call(changeEvidences, { body: { action: to, ids: [evidence.id] } }),
    onSuccess: async ({ results }) => {
      const code = results[0]?.code ?? null
      if (code !== null) failed(optionalText(code) ?? text('ui.error.unknown'))
      else
        notify(
          'success',
          text(to === 'trash' ? 'evidence.account.moved' : 'evidence.account.restored'),
          text('ui.notice.dismiss'),
        )
      await client.invalidateQueries({ queryKey: ['evidences'] })
    },
    onError: (error) => failed(errorText(error)),
  })
  const words = text(to === 'trash' ? 'evidence.account.move' : 'evidence.account.restore')
  return (
    <Button
      variant="default"
      size="compact-sm"
      mih={44}
      px="sm"
      aria-label={`${words} – ${evidence.page_url}`}
      loading={moving.isPending}
      onClick={() => moving.mutate()}
    >
      {words}
    </Button>
  )
}

function Pages(props: { page: number; pages: number | null; next: boolean; onPage: (page: number) => void }): ReactNode {
  const text = useText()
  const { page, pages } = props
  if (page === 1 && !props.next) return null
  return (
    <nav className={styles['pages']} aria-label={text('evidence.account.pages')}>
      <Button variant="default" disabled={page === 1} onClick={() => props.onPage(page - 1)}>
        {text('evidence.account.previous')}
      </Button>
      <span>
        {pages === null ? text('evidence.account.page.of_more', { page }) : text('evidence.account.page', { page, pages })}
      </span>
      <Button variant="default" disabled={!props.next} onClick={() => props.onPage(page + 1)}>
        {text('evidence.account.next')}
      </Button>
    </nav>
  )
}
