import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { hold, type EvidenceToken } from '../held/held-evidences.ts'
import { useMeasuredValues } from './measured-values.ts'
import { useDecision } from './queries.ts'
import { wasCancelled } from '../../../../ui/work/use-work.tsx'
import styles from './ended.module.css'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'

/** Failed, rejected, expired: what happened, what was kept, what can be done. */
export function Ended(props: { evidence: Evidence; token: EvidenceToken }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const measured = useMeasuredValues()
  const locale = useLocale()
  const navigate = useNavigate()
  const { evidence, token } = props
  const { retry, dialog } = useDecision(evidence.id, token)
  const kind = evidence.status === 'rejected' || evidence.status === 'expired' ? evidence.status : 'failed'
  const failure = evidence.failure
  // What asks for the same server again is refused (decision 0338).
  const isWithdrawn = failure?.code === 'server_withdrawn'
  // The same address will do no better: it stands in the form again, to be mended.
  const isMistyped = failure?.code === 'unknown_host' && evidence.replaced_by === null
  const plain = failure === null ? null : withoutEncryption(evidence.page_url, failure.code)
  return (
    <div className={styles['ended']}>
      <h1>{text(`evidence.ended.${kind}`)}</h1>
      <p>
        <PageAddress url={evidence.page_url} />
      </p>
      {kind === 'failed' ? (
        <>
          <p className={styles['reason']} role="alert">
            {(failure === null ? null : optionalText(`capture.failure.${failure.code}`, measured(failure.data))) ??
              text('evidence.ended.failed.default')}
          </p>
          <p>{text('evidence.ended.failed.kept')}</p>
          {failure === null ? null : (
            <p className={styles['code']}>
              {text('evidence.ended.code')} <code>{failure.code}</code>
            </p>
          )}
        </>
      ) : (
        <p>{text(`evidence.ended.${kind}.text`)}</p>
      )}
      {dialog}
      <div className={styles['actions']}>
        {isMistyped ? (
          <Button
            size="md"
            renderRoot={(root) => <Link to="/$locale/" params={{ locale }} search={{ url: evidence.page_url }} {...root} />}
          >
            {text('evidence.ended.correct')}
          </Button>
        ) : null}
        {evidence.replaced_by === null ? (
          isWithdrawn ? null : (
            <Button
              size="md"
              variant={isMistyped ? 'default' : 'filled'}
              loading={retry.isPending}
              onClick={() =>
                retry.mutate('as_before', {
                  onSuccess: (made) => {
                    hold({ id: made.id, token, page_url: made.page_url, created_at: made.created_at })
                    notify('success', text('evidence.notice.retried'), text('ui.notice.dismiss'))
                    void navigate({ to: '/$locale/capture/$id/', params: { locale, id: made.id } })
                  },
                  onError: (error) => {
                    if (!wasCancelled(error)) notify('error', errorText(error), text('ui.notice.dismiss'))
                  },
                })
              }
            >
              {text('evidence.ended.again')}
            </Button>
          )
        ) : (
          <Button
            size="md"
            onClick={() => {
              const id = evidence.replaced_by
              if (id === null) return
              hold({ id, token, page_url: evidence.page_url, created_at: evidence.created_at })
              void navigate({ to: '/$locale/capture/$id/', params: { locale, id } })
            }}
          >
            {text('evidence.ended.replaced')}
          </Button>
        )}
        {plain === null ? null : (
          <Button
            size="md"
            variant="default"
            renderRoot={(root) => <Link to="/$locale/" params={{ locale }} search={{ url: plain }} {...root} />}
          >
            {text('evidence.ended.plain')}
          </Button>
        )}
        <Button
          size="md"
          variant={isWithdrawn ? 'filled' : 'default'}
          renderRoot={(root) => <Link to="/$locale/" params={{ locale }} {...root} />}
        >
          {text('evidence.ended.other')}
        </Button>
      </div>
    </div>
  )
}

/** An address that was typed without a scheme was asked for by `https:`; whether `http:` will do is for whoever asks to decide. */
function withoutEncryption(url: string, code: string): string | null {
  return url.startsWith('https:') && ['tls_error', 'connection_refused', 'connection_failed'].includes(code)
    ? url.replace(/^https:/, 'http:')
    : null
}
