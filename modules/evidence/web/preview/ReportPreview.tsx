import { Button } from '@mantine/core'
import { lazy, type ReactNode } from 'react'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { formatSeconds } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { useReportPreview } from '../life/queries.ts'
import { PdfFrame, PdfLinks } from './PdfFrame.tsx'
import styles from './preview.module.css'

const ReportOnScreen = lazy(async () => ({
  default: (await loadChunk(() => import('./ReportOnScreen.tsx'))).ReportOnScreen,
}))

/** C-29: the report as it will be, before anyone agrees. Printed when this is opened: nobody else pays for it. */
export function ReportPreview(props: {
  evidence: Evidence
  preview: EvidencePreview
  token: EvidenceToken
  refresh: () => void
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const { query, again } = useReportPreview(props.evidence.id, props.token, locale)
  const { data } = query
  const error = again.error ?? query.error
  const ended = data?.status === 'failed' || data?.status === 'late' ? data.status : null
  if (error !== null || ended !== null) {
    return (
      <>
        <p role="alert">{error === null && ended !== null ? text(`evidence.report_preview.${ended}`) : errorText(error)}</p>
        <p>
          <Button
            variant="default"
            loading={again.isPending || query.isFetching}
            onClick={() => (ended === null ? void query.refetch() : again.mutate())}
          >
            {text('ui.retry')}
          </Button>
        </p>
      </>
    )
  }
  if (data === undefined) return <p role="status">{text('ui.loading')}</p>
  if (data.status === 'waiting' || data.status === 'printing') return <Printing status={data.status} since={data.since} />
  const { pdf_preview: url, document } = data
  if (url === null) return null
  const pdf = { url, download: { name: data.file_name, bytes: data.bytes ?? 0 } }
  const frame = <PdfFrame {...pdf} title={text('evidence.report_preview.frame')} />
  return (
    <>
      <p>{text('evidence.report_preview.lead')}</p>
      {document === null ? frame : <ReportOnScreen {...props} link={document} links={<PdfLinks {...pdf} />} instead={frame} />}
    </>
  )
}

function Printing(props: { status: 'waiting' | 'printing'; since: string }): ReactNode {
  const text = useText()
  const now = useServerTime(1000)
  return (
    <>
      <p>
        <span role="status">{text(`evidence.report_preview.${props.status}`)}</span>{' '}
        <span className={styles['seconds']}>{formatSeconds(Math.max(0, now - Date.parse(props.since)) / 1000)}</span>
      </p>
      <p className={styles['soft']}>{text('evidence.report_preview.wait')}</p>
    </>
  )
}
