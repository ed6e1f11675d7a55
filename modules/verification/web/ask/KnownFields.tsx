import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { readHeaders } from '../../domain/known/known-headers.ts'
import { readPem } from '../../domain/certificate/x509.ts'
import type { KnownFields as Fields } from '../run/verify.worker.ts'
import dropStyles from '../../../../ui/files/drop-zone.module.css'
import styles from './proofs.module.css'
import { Field } from './Field.tsx'

/** Which of them can change what was concluded. */
export type Wanted = {
  readonly headers: readonly number[]
  readonly address: boolean
  readonly account: boolean
  readonly digest: boolean
}

/** What the reader got from elsewhere: with it the proof is verified again, and rests on it rather than on what it says of itself. */
export function KnownFields(props: {
  fields: Fields
  wanted: Wanted
  /** It could still make the proof hold; where something is contradicted it stays folded, and what is wrong comes first. */
  helps: boolean
  onVerify: (fields: Fields) => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { wanted } = props
  const [fields, setFields] = useState(props.fields)
  const [asking, setAsking] = useState<'no' | 'asking' | 'unknown'>('no')
  const set = (name: keyof Fields, value: string) => setFields((all) => ({ ...all, [name]: value }))
  const trustWrong = fields.trust !== undefined && fields.trust.trim() !== '' && !isPem(fields.trust)
  const headersWrong = fields.headers !== undefined && readHeaders(fields.headers) === undefined
  const ask = async () => {
    setAsking('asking')
    const { askForHeaders } = await import('../run/ask-for-headers.ts')
    const lines = await askForHeaders(wanted.headers)
    setAsking(lines.length === 0 ? 'unknown' : 'no')
    if (lines.length > 0)
      set('headers', [...new Set([...(fields.headers ?? '').split('\n'), ...lines])].filter((line) => line !== '').join('\n'))
  }
  return (
    <details className={styles['knows']} open={props.helps && (wanted.headers.length > 0 || wanted.address || wanted.account)}>
      <summary>{text('verification.page.knows')}</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!trustWrong && !headersWrong) props.onVerify(filled(fields))
        }}
      >
        <p className={styles['soft']}>{text('verification.page.knows_lead')}</p>
        {wanted.headers.length > 0 ? (
          <>
            <Field
              name="headers"
              long
              label={text('verification.page.headers')}
              hint={text('verification.page.headers_needed', {
                count: wanted.headers.length,
                heights: new Intl.ListFormat(locale).format(wanted.headers.slice(0, 12).map(String)),
              })}
              error={headersWrong ? text('verification.page.headers_wrong') : undefined}
              value={fields.headers ?? ''}
              onChange={(value) => set('headers', value)}
            />
            <div className={styles['ask']}>
              <Button
                variant="default"
                size="md"
                loading={asking === 'asking'}
                onClick={() => void ask().catch(() => setAsking('unknown'))}
              >
                {text('verification.page.headers_ask')}
              </Button>
              <span className={styles['soft']}>{text('verification.page.headers_asked')}</span>
            </div>
            <p role="status" className={styles['status']}>
              {asking === 'unknown' ? text('verification.page.headers_unknown') : ''}
            </p>
          </>
        ) : null}
        {wanted.address ? (
          <Field
            name="address"
            long={false}
            label={text('verification.page.address')}
            value={fields.address ?? ''}
            onChange={(value) => set('address', value)}
          />
        ) : null}
        {wanted.account ? (
          <Field
            name="account"
            long={false}
            label={text('verification.page.account')}
            value={fields.account ?? ''}
            onChange={(value) => set('account', value)}
          />
        ) : null}
        {wanted.digest ? (
          <Field
            name="digest"
            long={false}
            label={text('verification.page.expected')}
            value={fields.digest ?? ''}
            onChange={(value) => set('digest', value)}
          />
        ) : null}
        <Field
          name="trust"
          long
          label={text('verification.page.trust')}
          error={trustWrong ? text('verification.page.trust_wrong') : undefined}
          value={fields.trust ?? ''}
          onChange={(value) => set('trust', value)}
        />
        <div className={dropStyles['choices']}>
          <label className={dropStyles['choice']}>
            <input
              type="file"
              accept=".pem,.crt,.cer"
              className="visually-hidden"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                void file
                  ?.slice(0, 1 << 20)
                  .text()
                  .then((pem) => set('trust', pem))
              }}
            />
            {text('verification.page.trust_file')}
          </label>
          <Button type="submit" size="md" h={48}>
            {text('verification.page.verify_again')}
          </Button>
        </div>
      </form>
    </details>
  )
}

function isPem(text: string): boolean {
  try {
    return readPem(new TextEncoder().encode(text)).length > 0
  } catch {
    return false
  }
}

/** An empty field is one that was not filled in. */
function filled(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))
}
