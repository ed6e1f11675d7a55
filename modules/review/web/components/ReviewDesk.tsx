import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { verifyUser } from '../../contract/endpoints.ts'
import type { AdminUser } from '../../contract/review.ts'
import { refusalReasons, type DocumentKind } from '../../domain/identity-document.ts'
import {
  blankDraft,
  checksOf,
  draftOf,
  isDecided,
  nextUndecided,
  obstacle,
  pendingDocuments,
  refusesWhole,
  toVerdict,
  type Draft,
  type Drafts,
  type Verdict,
} from '../decision.ts'
import { userQuery } from '../queries.ts'
import { useOpenFile } from '../use-open-file.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import styles from '../users.module.css'
import { ConfirmDecision } from './ConfirmDecision.tsx'
import { DocumentDecision } from './DocumentDecision.tsx'
import { DocumentsBeside } from './DocumentsBeside.tsx'
import { TypedProfile } from './TypedProfile.tsx'
import { WholeDecision } from './WholeDecision.tsx'

export type Reviewer = { readonly id: string; readonly name: string }
const focus = (name: string) => document.querySelector<HTMLElement>(`[data-key="${name}"]`)?.focus()

/** Where a file is decided: each document in turn, then the whole, looked over once more before it is sent. */
export function ReviewDesk(props: { user: AdminUser; file: NonNullable<AdminUser['file']>; reviewer: Reviewer }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { user, file, reviewer } = props
  const { openNext } = useOpenFile()
  const today = new Date(serverNow()).toISOString().slice(0, 10)
  const pending = pendingDocuments(user)
  const own = user.verification?.claim?.own === true
  const deciding = own && pending.length > 0
  const shown = deciding ? [...pending, ...file.documents.filter(({ state }) => state === 'success')] : file.documents
  const [chosen, setChosen] = useState<string | null>(null)
  const current = shown.find(({ id }) => id === chosen) ?? shown[0] ?? null
  const [drafts, setDrafts] = useState<Drafts>({})
  const [missing, setMissing] = useState<readonly DocumentKind[]>([])
  const [note, setNote] = useState('')
  const [refusing, setRefusing] = useState(false)
  const [said, setSaid] = useState('')
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const decided = current !== null && deciding && pending.includes(current)
  const draft = current === null ? blankDraft : draftOf(drafts, current.id)
  const change = (part: Partial<Draft>) => {
    if (current !== null) setDrafts({ ...drafts, [current.id]: { ...draft, ...part } })
  }
  const show = (id: string) => {
    setRefusing(false)
    setSaid('')
    setChosen(id)
  }
  /** What was decided is said aloud, and the next one comes by itself. */
  const settle = (part: Partial<Draft>, words: string) => {
    if (current === null) return
    const next = { ...drafts, [current.id]: { ...draft, ...part } }
    setDrafts(next)
    const following = nextUndecided(pending, next, today, current.id)
    if (following !== null) show(following)
    setRefusing(false)
    setSaid(following === null ? `${words} ${text('review.page.all_decided')}` : words)
  }
  const accept = () => {
    if (!decided) return
    const lacks = obstacle(current.kind, draft, today)
    if (lacks === null)
      settle(
        { outcome: 'accepted', reason: null },
        text('review.page.said.accepted', { name: text(`review.page.kind.${current.kind}`) }),
      )
    else {
      setSaid(text(`review.page.obstacle.${lacks}`))
      focus(lacks === 'checks' ? 'check' : 'expiry')
    }
  }
  const refuse = (reason: (typeof refusalReasons)[number]) =>
    settle(
      { outcome: 'refused', reason },
      text('review.page.said.refused', {
        name: current === null ? '' : text(`review.page.kind.${current.kind}`),
        reason: text(`review.page.reason.${reason}`),
      }),
    )
  const tickNext = () => {
    if (!decided) return
    const check = checksOf[current.kind].find((each) => !draft.ticked.includes(each))
    if (check === undefined) return
    change({ ticked: [...draft.ticked, check] })
    setSaid(text('review.page.said.ticked', { check: text(`review.page.check.${check}`) }))
  }
  const decide = () => {
    if (!deciding) return
    const ready = toVerdict(user, { drafts, missing, note }, today)
    if (ready === null) {
      const next = nextUndecided(pending, drafts, today, '')
      if (next !== null) show(next)
      setSaid(text('review.page.obstacle.undecided'))
    } else setVerdict(ready)
  }
  const sending = useMutation({
    mutationFn: (body: Verdict) => call(verifyUser, { params: { id: user.id }, body }),
    onSuccess: async (decidedUser, body) => {
      keepAnswer(client, userQuery(user.id).queryKey, decidedUser)
      setVerdict(null)
      const name = visible(`${user.first_name} ${user.last_name}`)
      const outcome = refusesWhole(body)
        ? 'refused'
        : decidedUser.verification?.awaits_second === true
          ? 'awaits_second'
          : 'accepted'
      notify('success', text(`review.page.notice.decided.${outcome}`, { name }), text('ui.notice.dismiss'))
      await client.invalidateQueries({ queryKey: ['admin-users'] })
      await openNext(user.id)
    },
    onError: (error) => {
      setVerdict(null)
      notify('error', errorText(error), text('ui.notice.dismiss'))
      void client.invalidateQueries({ queryKey: userQuery(user.id).queryKey })
    },
  })
  const unsent = Object.keys(drafts).length > 0 && !sending.isSuccess
  useEffect(() => {
    if (!unsent) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [unsent])
  const digits = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [
      String(i + 1),
      () => {
        const reason = refusalReasons[i]
        const other = shown[i]
        if (refusing && reason !== undefined) refuse(reason)
        else if (!refusing && other !== undefined) show(other.id)
      },
    ]),
  )
  useShortcuts({
    ...digits,
    a: accept,
    x: () => {
      if (decided) setRefusing(true)
    },
    c: tickNext,
    e: () => focus('expiry'),
    n: () => focus('note'),
    m: () => focus('missing'),
    w: () => focus('whole'),
    'Ctrl+Enter': decide,
    Escape: () => {
      setRefusing(false)
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    },
  })
  return (
    <div className={styles['desk']}>
      <DocumentsBeside
        userId={user.id}
        documents={shown}
        current={current}
        drafts={drafts}
        today={today}
        watermark={reviewer.name}
        locked={user.verification?.state === 'pending' && !own}
        onShow={show}
      />
      <div className={styles['side']}>
        <p className={styles['said']} role="status">
          {said}
        </p>
        {decided ? (
          <DocumentDecision
            key={current.id}
            user={user}
            document={current}
            draft={draft}
            today={today}
            refusing={refusing}
            onChange={change}
            onAccept={accept}
            onRefusing={setRefusing}
            onRefuse={refuse}
          />
        ) : null}
        <TypedProfile user={user} file={file} />
        {deciding ? (
          <WholeDecision
            user={user}
            today={today}
            undecided={pending.filter(({ id, kind }) => !isDecided(kind, draftOf(drafts, id), today)).length}
            missing={missing}
            note={note}
            onMissing={setMissing}
            onNote={setNote}
            onDecide={decide}
          />
        ) : null}
      </div>
      <ConfirmDecision
        user={user}
        verdict={verdict}
        busy={sending.isPending}
        onConfirm={() => {
          if (verdict !== null && !sending.isPending) sending.mutate(verdict)
        }}
        onClose={() => setVerdict(null)}
      />
    </div>
  )
}
