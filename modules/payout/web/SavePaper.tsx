import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { request } from '../../../ui/api/call.ts'
import { saveBlob } from '../../../ui/api/save-file.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../ui/intl/whole.tsx'
import { notify } from '../../../ui/shell/notify.ts'
import type { readAnyPaper } from '../contract/administration.ts'
import { readPaper, type paperKinds } from '../contract/payouts.ts'

/** C-55: a document of a payout, in the language of the page. @param props.number null: it has none @param props.of by which call */
export function SavePaper(props: {
  payout: string
  kind: (typeof paperKinds)[number]
  number: string | null
  of?: typeof readPaper | typeof readAnyPaper
}): ReactNode {
  const text = useText()
  const language = useLocale()
  const errorText = useErrorText()
  const { kind, number } = props
  const saving = useMutation({
    mutationFn: async () => {
      const answer = await request(
        props.of ?? readPaper,
        { params: { id: props.payout }, query: { document: kind, language } },
        'application/pdf',
      )
      const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
      saveBlob(await answer.blob(), name ?? `${kind}.pdf`)
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <Button variant="default" size="md" loading={saving.isPending} onClick={() => saving.mutate()}>
      {/* In one box: the words of a button stand beside each other as its children do. */}
      <span>{withWholeNames(text(`payout.paper.${kind}`, { number: number ?? '' }))}</span>
    </Button>
  )
}
