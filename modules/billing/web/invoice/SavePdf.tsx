import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { request } from '../../../../ui/api/call.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { readAnyDocument } from '../../contract/administration.ts'
import { readDocument } from '../../contract/invoices.ts'
import { saveAnswer } from './save-answer.ts'

/** C-42: the document itself, in the language of the page. @param props.name as it is called on the page @param props.of by which call */
export function SavePdf(props: { id: string; name: string; of?: typeof readDocument | typeof readAnyDocument }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const saving = useMutation({
    mutationFn: async () => {
      const answer = await request(
        props.of ?? readDocument,
        { params: { id: props.id }, query: { language: locale } },
        'application/pdf',
      )
      await saveAnswer(answer, `invoice-${props.id}.pdf`)
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <Button
      variant="default"
      size="md"
      aria-label={text('billing.invoice.pdf_of', { name: props.name })}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {text('billing.invoice.pdf')}
    </Button>
  )
}
