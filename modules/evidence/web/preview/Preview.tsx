import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type MouseEvent, type ReactNode } from 'react'
import { askToSignIn } from '../../../../ui/api/ask-to-sign-in.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { formatCountdown, formatInstant, formatSeconds } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { prices } from '../../../../ui/shell/prices.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { hold, type EvidenceToken } from '../held/held-evidences.ts'
import { useDecision } from '../life/queries.ts'
import { wasCancelled } from '../../../../ui/work/use-work.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { Cost, useProfileFirst } from '../../../billing/web/index.ts'
import { Payment } from './Payment.tsx'
import { PreviewSeal } from './PreviewSeal.tsx'
import { PreviewTabs } from './PreviewTabs.tsx'
import { SaveToAccount } from '../held/SaveToAccount.tsx'
import styles from './preview.module.css'
import { strongestAction, type StrongAction } from './strongest-action.ts'
import { Warnings } from './Warnings.tsx'

/** D-07, S-38, S-39: everything that was recorded, what is wrong with it, and the decision. */
export function Preview(props: {
  evidence: Evidence
  preview: EvidencePreview
  token: EvidenceToken
  refresh: () => void
}): ReactNode {
  const text = useText()
  const { evidence, preview } = props
  const { session } = preview
  const strong = strongestAction(evidence, preview)
  return (
    <div className={styles['preview']} data-visit={evidence.action === 'interactive'}>
      <header className={styles['head']}>
        <h1>{text('evidence.preview.heading')}</h1>
        <p className={styles['title']}>
          {session !== null
            ? text('review.visit', {
                time: formatSeconds(Math.round(session.duration_ms / 1000)),
                pages: session.navigations,
              })
            : preview.title === ''
              ? text('evidence.preview.untitled')
              : visible(preview.title)}
        </p>
        <p>
          {/* Of a visit the page that was left last is but one: it is known by where it began. */}
          <PageAddress url={session === null ? preview.final_url : evidence.page_url} />
        </p>
      </header>
      <div className={styles['look']}>
        <PreviewTabs evidence={evidence} preview={preview} token={props.token} refresh={props.refresh} />
      </div>
      {evidence.status === 'awaiting_payment' || evidence.expires_at === null ? null : (
        <p className={styles['reach']}>
          <Countdown until={evidence.expires_at} />
          <a href="#decision" onClick={toDecision}>
            {text('evidence.preview.decide')}
          </a>
        </p>
      )}
      <div className={styles['judge']}>
        <Warnings evidence={evidence} preview={preview} token={props.token} strong={strong} />
        {evidence.status === 'awaiting_payment' ? (
          <Payment evidence={evidence} token={props.token} refresh={props.refresh} />
        ) : (
          <Decision evidence={evidence} token={props.token} strong={strong} />
        )}
        {evidence.seal === null ? null : <PreviewSeal seal={evidence.seal} />}
        <p className={styles['lead']}>{text('evidence.preview.lead')}</p>
        <SaveToAccount token={props.token} />
      </div>
    </div>
  )
}

/** On a phone the decision stands below the picture: a press leads there, and the keyboard with it. The address stays as it is. */
function toDecision(event: MouseEvent): void {
  event.preventDefault()
  const decision = document.getElementById('decision')
  decision?.scrollIntoView({ block: 'center' })
  decision?.focus({ preventScroll: true })
}

function Decision(props: { evidence: Evidence; token: EvidenceToken; strong: StrongAction }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { evidence, token } = props
  const session = useSession()
  const profileFirst = useProfileFirst('evidence')
  const { agree, reject, retry, dialog } = useDecision(evidence.id, token)
  const [asking, setAsking] = useState<'reject' | 'retry' | null>(null)
  /** A visit is made again by its visitor. */
  const again = evidence.action === 'interactive' ? 'review.retry' : 'evidence.retry'
  const busy = agree.isPending || reject.isPending || retry.isPending
  const failed = (error: unknown) => {
    if (!wasCancelled(error)) notify('error', errorText(error), text('ui.notice.dismiss'))
  }
  const said = (id: 'agreed' | 'rejected' | 'retried') =>
    notify('success', text(`evidence.notice.${id}`), text('ui.notice.dismiss'))
  /** A retry is held with the token of the first (decision 0001). */
  const goTo = (id: string) => {
    hold({ id, token, page_url: evidence.page_url, created_at: new Date(serverNow()).toISOString() })
    void navigate({ to: '/$locale/capture/$id/', params: { locale, id } })
  }
  const agreed = async () => {
    // What is invoiced is invoiced to somebody: he registers or signs in here, and the draft comes with him.
    if (prices !== null && session === null && !(await askToSignIn('agree', token))) return
    agree.mutate(undefined, {
      onSuccess: ({ status }) => {
        if (status !== 'awaiting_payment') said('agreed')
      },
      onError: failed,
    })
  }
  const until = formatInstant(evidence.expires_at ?? evidence.created_at, locale)
  return (
    <section id="decision" tabIndex={-1} className={styles['decision']} aria-label={text('evidence.preview.decision')}>
      {evidence.replaced_by === null ? null : <p>{text('evidence.preview.replaced', { date: until })}</p>}
      <div className={styles['terms']}>
        {evidence.expires_at === null ? null : (
          <p className={styles['countdown']}>
            <Countdown until={evidence.expires_at} />
          </p>
        )}
        <Cost category="evidence" />
      </div>
      <div className={styles['choices']}>
        <Button
          size="md"
          variant={props.strong === 'agree' && !profileFirst ? 'filled' : 'default'}
          loading={agree.isPending}
          disabled={busy && !agree.isPending}
          onClick={() => void agreed()}
        >
          {text('evidence.preview.agree')}
        </Button>
        {evidence.replaced_by === null ? (
          <Button
            size="md"
            variant={props.strong === 'retry' ? 'filled' : 'default'}
            disabled={busy}
            onClick={() => setAsking('retry')}
          >
            {text(evidence.action === 'interactive' ? 'review.retry' : 'evidence.preview.retry')}
          </Button>
        ) : (
          <Button size="md" variant="default" onClick={() => goTo(evidence.replaced_by ?? '')}>
            {text('evidence.ended.replaced')}
          </Button>
        )}
        <Button size="md" variant="outline" color="bad" disabled={busy} onClick={() => setAsking('reject')}>
          {text('evidence.preview.reject')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking === 'reject'}
        title={text('evidence.reject.title')}
        text={text('evidence.reject.text')}
        confirm={text('evidence.reject.confirm')}
        cancel={text('evidence.reject.cancel')}
        destructive
        busy={reject.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() =>
          reject.mutate(undefined, {
            onSuccess: () => said('rejected'),
            onError: failed,
            onSettled: () => setAsking(null),
          })
        }
      />
      <ConfirmDialog
        open={asking === 'retry'}
        title={text(`${again}.title`)}
        text={text(`${again}.text`, { date: until })}
        confirm={text(`${again}.confirm`)}
        cancel={text('evidence.retry.cancel')}
        destructive={false}
        busy={retry.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() =>
          retry.mutate('as_before', {
            onSuccess: (made) => {
              // The session opens by itself, and its tools are where this would be said.
              if (evidence.action !== 'interactive') said('retried')
              goTo(made.id)
            },
            onError: failed,
            onSettled: () => setAsking(null),
          })
        }
      />
      {dialog}
    </section>
  )
}

function Countdown(props: { until: string }): ReactNode {
  const now = useServerTime(10_000)
  return (
    <span>
      <Message id="evidence.preview.deleted_in" values={{ time: formatCountdown(Date.parse(props.until) - now) }} />
    </span>
  )
}
