import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { QueryInputOf } from '../../../../kernel/endpoint.ts'
import { request } from '../../../../ui/api/call.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { exportInvoices } from '../../contract/invoices.ts'
import { saveAnswer } from './save-answer.ts'
import styles from './invoices.module.css'

type Format = NonNullable<NonNullable<QueryInputOf<typeof exportInvoices>>['format']>

const formats: readonly Format[] = ['csv', 'zip', 'fec']

/** C-43, H-36: what an accountant takes over. */
export function ExportInvoices(): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const exporting = useMutation({
    mutationFn: async (format: Format) => {
      await saveAnswer(await request(exportInvoices, { query: { format } }, '*/*'), `invoices.${format}`)
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <div className={styles['exports']} role="group" aria-label={text('billing.export')}>
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
