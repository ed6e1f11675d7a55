import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeEvidence } from '../../contract/account-endpoints.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import styles from './result.module.css'

/** E-24, H-15: whether the files of the report stay, until when they do if not, and changing that. Of a report that belongs to an account. */
export function KeepFiles(props: { evidence: Evidence; token: EvidenceToken }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const client = useQueryClient()
  const { evidence, token } = props
  const dismiss = text('ui.notice.dismiss')
  const change = useMutation({
    mutationFn: (store: boolean) => call(changeEvidence, { params: { id: evidence.id }, body: { store }, evidenceToken: token }),
    onSuccess: (changed) => {
      keepAnswer(client, ['evidence', changed.id], changed)
      void client.invalidateQueries({ queryKey: ['evidences'] })
      const { store } = changed
      notify('success', text(store ? 'evidence.keep.notice.stored' : 'evidence.keep.notice.unstored'), dismiss, 'keep-files', {
        label: text('ui.list.undo'),
        act: () => change.mutate(!store),
      })
    },
    onError: (error) => notify('error', errorText(error), dismiss),
  })
  if (evidence.content_deleted_at !== null)
    return <p>{text('evidence.keep.deleted', { date: formatInstant(evidence.content_deleted_at, locale) })}</p>
  if (evidence.owner === null) return null
  const { store, files_kept_until: until } = evidence
  return (
    <section className={styles['section']} aria-labelledby="keep-heading">
      <h2 id="keep-heading">{text('evidence.keep.heading')}</h2>
      <p>
        {store || until === null
          ? text('evidence.keep.stored')
          : text('evidence.keep.until', { date: formatInstant(until, locale) })}
      </p>
      <p>
        <Button
          size="md"
          variant="default"
          loading={change.isPending}
          aria-describedby="keep-means"
          onClick={() => change.mutate(!store)}
        >
          {text(store ? 'evidence.keep.end' : 'evidence.keep.store')}
        </Button>
      </p>
      <p id="keep-means" className={styles['soft']}>
        {text(store ? 'evidence.keep.end.means' : 'evidence.keep.store.means')}
      </p>
    </section>
  )
}
