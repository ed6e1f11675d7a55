import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant, formatSeconds } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { claimUser, releaseUser } from '../../contract/endpoints.ts'
import type { AdminUser } from '../../contract/review.ts'
import { decidedOnceBy } from '../decision.ts'
import { userQuery } from '../queries.ts'
import { useGoToQueue, useQueueSearch } from '../queue-search.ts'
import { useOpenFile } from '../use-open-file.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import styles from '../users.module.css'

/** A claim lasts fifteen minutes; whoever works is never nearer to its end than this. */
const renewBelow = 10 * 60_000
const tellBelow = 3 * 60_000

/** Whose the file is for now, for how long yet, and what can be done about it. */
export function ClaimBar(props: { user: AdminUser; reviewer: { readonly id: string } }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const search = useQueueSearch()
  const goToQueue = useGoToQueue()
  const { openNext, busy } = useOpenFile()
  const { user, reviewer } = props
  const { verification } = user
  const claim = verification?.claim ?? null
  const now = useServerTime(1000)
  const left = claim === null ? 0 : Date.parse(claim.until) - now
  const held = claim !== null && left > 0
  const own = held && claim.own
  const keep = (next: AdminUser) => keepAnswer(client, userQuery(user.id).queryKey, next)
  const fail = (error: Error) => {
    notify('error', errorText(error), text('ui.notice.dismiss'))
    void client.invalidateQueries({ queryKey: userQuery(user.id).queryKey })
  }
  const taking = useMutation({ mutationFn: () => call(claimUser, { params: { id: user.id } }), onSuccess: keep, onError: fail })
  const releasing = useMutation({
    mutationFn: () => call(releaseUser, { params: { id: user.id } }),
    onSuccess: () => {
      notify('success', text('review.page.claim.released'), text('ui.notice.dismiss'))
      goToQueue(search)
    },
    onError: fail,
  })
  const skipping = useMutation({
    mutationFn: async () => {
      if (own) await call(releaseUser, { params: { id: user.id } })
      await openNext(user.id)
    },
    onError: fail,
  })
  useRenewal(own && left < renewBelow && !taking.isPending, () => taking.mutate())
  const mayTake = verification?.state === 'pending' && !held && user.id !== reviewer.id && !decidedOnceBy(user, reviewer.id)
  useShortcuts({
    ...(mayTake ? { Enter: () => taking.mutate() } : {}),
    ...(skipping.isPending || busy !== null ? {} : { s: () => skipping.mutate() }),
  })
  if (verification === null || verification.state !== 'pending') return null
  const says = own
    ? text('review.page.claim.until', { date: formatInstant(claim.until, locale) })
    : held
      ? text('review.page.claim.held', { name: visible(claim.by.name), date: formatInstant(claim.until, locale) })
      : user.id === reviewer.id
        ? text('review.page.claim.own_file')
        : decidedOnceBy(user, reviewer.id)
          ? text('review.page.claim.second_person')
          : claim?.own === true
            ? text('review.page.claim.lapsed')
            : text('review.page.claim.free')
  return (
    <section className={styles['claim']} data-tone={own ? 'good' : 'caution'} aria-label={text('review.page.claim')}>
      <div>
        <p>{says}</p>
        {verification.awaits_second ? <p>{text('review.page.second_look')}</p> : null}
        {own && left < tellBelow ? (
          <p className={styles['ending']}>{text('review.page.claim.ends', { left: formatSeconds(left / 1000) })}</p>
        ) : null}
      </div>
      <div className={styles['actions']}>
        {mayTake ? (
          <Button aria-keyshortcuts="Enter" loading={taking.isPending} onClick={() => taking.mutate()}>
            {text('review.page.claim.take')}
          </Button>
        ) : null}
        {own ? (
          <Button variant="default" loading={releasing.isPending} onClick={() => releasing.mutate()}>
            {text('review.page.claim.release')}
          </Button>
        ) : null}
        <Button variant="default" aria-keyshortcuts="s" loading={skipping.isPending} onClick={() => skipping.mutate()}>
          {text('review.page.claim.skip')}
        </Button>
      </div>
    </section>
  )
}

/** Renews a claim that nears its end when whoever holds it does something; of one who left, it lapses. */
function useRenewal(due: boolean, renew: () => void): void {
  const latest = useRef(renew)
  useLayoutEffect(() => {
    latest.current = renew
  })
  const since = useRef(0)
  useEffect(() => {
    if (!due) return undefined
    const act = () => {
      // One that was refused is not asked for with every key.
      if (serverNow() - since.current < 30_000) return
      since.current = serverNow()
      latest.current()
    }
    const events = ['keydown', 'pointerdown', 'wheel'] as const
    for (const each of events) document.addEventListener(each, act, { passive: true })
    return () => {
      for (const each of events) document.removeEventListener(each, act)
    }
  }, [due])
}
