import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { hold, type EvidenceToken } from '../held/held-evidences.ts'
import { useDecision } from '../life/queries.ts'
import { wasCancelled } from '../../../../ui/work/use-work.tsx'

/** The same page again, its cookie banner dismissed, at one press: another evidence. This one stays until its own term. */
export function AgainWithoutBanner(props: { evidence: Evidence; token: EvidenceToken; strong: boolean }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { evidence, token } = props
  const { retry, dialog } = useDecision(evidence.id, token)
  // One that was captured again leads there by itself.
  if (evidence.replaced_by !== null) return null
  return (
    <>
      <p>
        <Button
          size="md"
          variant={props.strong ? 'filled' : 'default'}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate('with_cookie_option', {
              onSuccess: ({ id, page_url, created_at }) => {
                hold({ id, token, page_url, created_at })
                notify('success', text('evidence.notice.retried'), text('ui.notice.dismiss'))
                void navigate({ to: '/$locale/capture/$id/', params: { locale, id } })
              },
            })
          }
        >
          {text('evidence.preview.retry_cookies')}
        </Button>
      </p>
      {dialog}
      {retry.error === null || wasCancelled(retry.error) ? null : <p role="alert">{errorText(retry.error)}</p>}
    </>
  )
}
