import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { createEvidence } from '../../contract/endpoints.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { hold } from '../held/held-evidences.ts'

/** The same address, steered by the visitor: another evidence, with a key of its own. This one stays as it is. */
export function LiveInstead(props: { url: string; strong: boolean }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const locale = useLocale()
  const navigate = useNavigate()
  const creation = useMutation({
    mutationFn: () => call(createEvidence, { body: { url: props.url, action: 'interactive', locale } }),
    onSuccess: async ({ evidence: { id, page_url, created_at }, evidence_token }) => {
      if (evidence_token !== null) hold({ id, token: evidence_token, page_url, created_at })
      await navigate({ to: '/$locale/capture/$id/', params: { locale, id } })
    },
  })
  return (
    <>
      <p>
        <Button
          size="md"
          variant={props.strong ? 'filled' : 'default'}
          loading={creation.isPending || creation.isSuccess}
          onClick={() => creation.mutate()}
        >
          {text('review.advice.interactive')}
        </Button>
      </p>
      {creation.error === null ? null : <p role="alert">{errorText(creation.error)}</p>}
    </>
  )
}
