import { Button } from '@mantine/core'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { submitIdentityDocuments } from '../../contract/endpoints.ts'
import type { IdentityVerification } from '../../contract/review.ts'
import type { DocumentKind } from '../../domain/identity-document.ts'
import { newestOf } from '../documents.ts'
import { verificationQuery } from '../queries.ts'
import { useFieldName } from '../use-field-name.ts'
import { uploadKey } from '../use-upload.ts'
import styles from '../identity-documents.module.css'

/** sends what is ready, or says by name what is not there yet. */
export function SendDocuments(props: { verification: IdentityVerification; chosen: readonly DocumentKind[] }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const fieldName = useFieldName()
  const client = useQueryClient()
  const [asked, setAsked] = useState(false)
  const { verification, chosen } = props
  const lacking = chosen.filter(
    (kind) => verification.changeable.includes(kind) && newestOf(verification.documents, kind)?.state !== 'ready',
  )
  const lacks = [
    ...(chosen.length === 0 ? [text('review.page.send.choose')] : []),
    ...lacking.map((kind) => text(`review.page.kind.${kind}`)),
    ...verification.missing_fields.map(({ field }) => fieldName(field)),
  ]
  const uploading = useIsMutating({ mutationKey: uploadKey }) > 0
  const sending = useMutation({
    mutationFn: () => call(submitIdentityDocuments, {}),
    onSuccess: (sent) => {
      keepAnswer(client, verificationQuery.queryKey, sent)
      notify('success', text('review.page.notice.sent'), text('ui.notice.dismiss'))
    },
    onError: () => client.invalidateQueries({ queryKey: verificationQuery.queryKey }),
  })
  return (
    <section className={styles['section']}>
      <p className={styles['soft']}>{text('review.page.send.lead')}</p>
      <div role="alert">
        {asked && !verification.sendable && lacks.length > 0 ? (
          <div className={styles['caution']}>
            <p>{text('review.page.send.lacks')}</p>
            <ul className={styles['points']}>
              {lacks.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </div>
        ) : null}
        {sending.isError ? <p className={styles['fault']}>{errorText(sending.error)}</p> : null}
      </div>
      <p className={styles['soft']} role="status">
        {uploading ? text('review.page.send.uploading') : null}
      </p>
      <div className={styles['actions']}>
        <Button
          size="md"
          loading={sending.isPending}
          disabled={uploading}
          onClick={() => {
            setAsked(true)
            if (verification.sendable) sending.mutate()
          }}
        >
          {text('review.page.send')}
        </Button>
      </div>
    </section>
  )
}
