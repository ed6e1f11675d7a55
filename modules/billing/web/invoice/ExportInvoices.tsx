import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { QueryInputOf } from '../../../../kernel/endpoint.ts'
import { request } from '../../../../ui/api/call.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { exportInvoices, readStatementDocument } from '../../contract/invoices.ts'
import { saveAnswer } from './save-answer.ts'
import styles from './invoices.module.css'

type Format = NonNullable<NonNullable<QueryInputOf<typeof exportInvoices>>['format']>

const formats: readonly Format[] = ['csv', 'zip', 'fec']

/** C-43, H-36: what an accountant takes over. */
export function ExportInvoices(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const exporting = useMutation({
    mutationFn: async (format: Format) => {
      await saveAnswer(await request(exportInvoices, { query: { format } }, '*/*'), `invoices.${format}`)
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  const stating = useMutation({
    mutationFn: async () => {
      const answer = await request(readStatementDocument, { query: { language: locale } }, 'application/pdf')
      await saveAnswer(answer, 'statement.pdf')
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <div className={styles['exports']} role="group" aria-label={text('billing.export')}>
      <Button variant="default" size="md" loading={stating.isPending} onClick={() => stating.mutate()}>
        {text('billing.export.statement')}
      </Button>
      {formats.map((format) => (
        <Button
          key={format}
          variant="default"
          size="md"
          loading={exporting.isPending && exporting.variables === format}
          onClick={() => exporting.mutate(format)}
        >
          {text(`billing.export.${format}`)}
        </Button>
      ))}
    </div>
  )
}
