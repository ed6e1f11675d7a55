import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { useErrorText } from '../error-text.ts'
import { hold } from '../held-evidences.ts'
import styles from './capture-form.module.css'

/** The rule and the call, with the schema library behind them, come when the field is first touched, not with the page. */
const rules = () => loadChunk(() => import('../ask-for-capture.ts'))

const draftKey = 'probant.address'

/** V-24, V-25, V-27: one field, checked on blur and on submit by the rule that the server uses; what was typed is never lost. */
export function CaptureForm(): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const locale = useLocale()
  const navigate = useNavigate()
  const form = useForm<{ url: string }>({
    mode: 'onBlur',
    reValidateMode: 'onChange',
    defaultValues: { url: sessionStorage.getItem(draftKey) ?? '' },
  })
  const wordsOf = (code: string): string =>
    optionalText(`evidence.address.${code}`) ??
    optionalText(`capture.failure.${code}`) ??
    text('evidence.address.unparseable_address')
  const creation = useMutation({
    mutationFn: async (url: string) => (await rules()).askForCapture({ url, action: 'static', locale }),
    onSuccess: async ({ evidence, evidence_token }) => {
      hold({ id: evidence.id, token: evidence_token, page_url: evidence.page_url, created_at: evidence.created_at })
      sessionStorage.removeItem(draftKey)
      await navigate({ to: '/$locale/capture/$id/', params: { locale, id: evidence.id } })
    },
    onError: (error) => {
      const code = error instanceof ApiError ? error.fields['url']?.[0] : undefined
      form.setError('url', { message: code === undefined ? errorText(error) : wordsOf(code) }, { shouldFocus: true })
    },
  })
  const field = form.register('url', {
    // Empty is no fault until the form is sent: leaving the field to read on is not a mistake.
    validate: async (value) => {
      if (value.trim() === '') return true
      const code = (await rules()).flawOfAddress(value)
      return code === null || wordsOf(code)
    },
    onChange: (event: { target: { value: string } }) => sessionStorage.setItem(draftKey, event.target.value),
  })
  const error = form.formState.errors.url?.message
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        void form.handleSubmit(({ url }) => {
          if (url.trim() === '') form.setError('url', { message: wordsOf('required') }, { shouldFocus: true })
          else creation.mutate(url)
        })(event)
      }}
    >
      <label className={styles['label']} htmlFor="page-address">
        {text('evidence.form.address')}
      </label>
      <div className={styles['row']}>
        <input
          {...field}
          id="page-address"
          className={styles['field']}
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={2000}
          placeholder={text('evidence.form.placeholder')}
          aria-invalid={error !== undefined}
          aria-describedby="page-address-error"
          onFocus={() => void rules()}
        />
        <Button type="submit" h="3.5rem" px="xl" fz="1.125rem" loading={creation.isPending || creation.isSuccess}>
          {text('evidence.form.capture')}
        </Button>
      </div>
      <p id="page-address-error" className={styles['error']} role="alert">
        {error}
      </p>
    </form>
  )
}
