import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { QrCode } from '../../../../ui/controls/QrCode.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { beginSecondFactor, confirmSecondFactor, disableSecondFactor, renewRecoveryCodes } from '../../contract/endpoints.ts'
import { useFieldText } from '../field-text.ts'
import { returnPath } from '../return-path.ts'
import { secondFactorQuery, sessionsQuery } from '../queries.ts'
import account from '../account.module.css'
import styles from '../identity.module.css'
import { ProveForm } from '../sign-in/ProveForm.tsx'

type Stage =
  | { readonly name: 'rest' | 'begin' | 'disable' | 'renew' }
  | { readonly name: 'scan'; readonly secret: string; readonly uri: string }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

/** A second factor by the authenticator on the user's telephone (RFC 6238), and codes for the day it is lost. */
export function SecondFactor(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const state = useQuery(secondFactorQuery)
  const [stage, setStage] = useState<Stage>({ name: 'rest' })
  const changed = () => {
    void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  const back = () => setStage({ name: 'rest' })
  const router = useRouter()
  const search: { redirect?: unknown } = useSearch({ strict: false })
  /** Whoever came for a page of staff is led on to it. */
  const kept = () => {
    const to = returnPath(search.redirect, location.origin)
    if (to === null) back()
    else router.history.push(to)
  }
  return (
    <section className={account['section']}>
      <h2>{text('identity.page.factor.title')}</h2>
      <Loaded query={state} loading={text('ui.loading')} failed={text('identity.page.factor.failed')}>
        {({ enabled, confirmed_at, recovery_codes_left, required }) => (
          <>
            <p className={account['soft']}>
              {enabled && confirmed_at !== null
                ? text('identity.page.factor.on', { date: formatInstant(confirmed_at, locale), codes: recovery_codes_left })
                : text(required ? 'identity.page.factor.required' : 'identity.page.factor.off')}
            </p>
            {stage.name !== 'rest' ? null : (
              <div className={account['actions']}>
                {enabled ? (
                  <>
                    <Button variant="default" onClick={() => setStage({ name: 'renew' })}>
                      {text('identity.page.factor.renew')}
                    </Button>
                    {required ? null : (
                      <Button variant="outline" color="bad" onClick={() => setStage({ name: 'disable' })}>
                        {text('identity.page.factor.disable')}
                      </Button>
                    )}
                  </>
                ) : (
                  <Button size="md" onClick={() => setStage({ name: 'begin' })}>
                    {text('identity.page.factor.begin')}
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </Loaded>
      {stage.name === 'begin' ? (
        <ProveForm
          key="begin"
          withCode={false}
          action={text('identity.page.factor.next')}
          onBack={back}
          prove={async ({ password }) => {
            const begun = await call(beginSecondFactor, { body: { password } })
            setStage({ name: 'scan', ...begun })
          }}
        />
      ) : null}
      {stage.name === 'scan' ? (
        <Scan
          secret={stage.secret}
          uri={stage.uri}
          onBack={back}
          onCodes={(codes) => {
            changed()
            notify('success', text('identity.page.factor.notice.on'), text('ui.notice.dismiss'))
            setStage({ name: 'codes', codes })
          }}
        />
      ) : null}
      {stage.name === 'codes' ? <RecoveryCodes codes={stage.codes} onKept={kept} /> : null}
      {stage.name === 'disable' ? (
        <ProveForm
          key="disable"
          withCode
          action={text('identity.page.factor.disable')}
          onBack={back}
          prove={async (body) => {
            await call(disableSecondFactor, { body })
            changed()
            notify('success', text('identity.page.factor.notice.off'), text('ui.notice.dismiss'))
            back()
          }}
        />
      ) : null}
      {stage.name === 'renew' ? (
        <ProveForm
          key="renew"
          withCode
          action={text('identity.page.factor.renew')}
          onBack={back}
          prove={async (body) => {
            const { recovery_codes } = await call(renewRecoveryCodes, { body })
            changed()
            setStage({ name: 'codes', codes: recovery_codes })
          }}
        />
      ) : null}
    </section>
  )
}

const given = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, { error: 'code_invalid' }),
})

function Scan(props: {
  secret: string
  uri: string
  onBack: () => void
  onCodes: (codes: readonly string[]) => void
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const form = useZodForm<{ code: string }>((values) => given.safeParse(values), { code: '' })
  const confirming = useMutation({
    mutationFn: (code: string) => call(confirmSecondFactor, { body: { code } }),
    onSuccess: ({ recovery_codes }) => props.onCodes(recovery_codes),
    onError: (error) => showFieldErrors(form, error),
  })
  const spaced = props.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return (
    <div className={account['setUp']}>
      <QrCode link={props.uri} label={text('identity.page.factor.qr')} />
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => confirming.mutate(form.getValues('code').trim()))(event)}
      >
        <p>{text('identity.page.factor.scan')}</p>
        <p className={account['secret']}>
          <code>{spaced}</code>
          <CopyButton value={props.secret} what={text('identity.page.factor.secret')} />
        </p>
        <Field
          field={form.register('code')}
          label={text('identity.page.factor.first_code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          error={fieldText(form.formState.errors.code)}
        />
        <p className={styles['fault']} role="alert">
          {confirming.error === null || form.formState.errors.code !== undefined ? null : errorText(confirming.error)}
        </p>
        <div className={styles['actions']}>
          <Button type="submit" size="md" loading={confirming.isPending}>
            {text('identity.page.factor.confirm')}
          </Button>
          <Button variant="default" size="md" onClick={props.onBack}>
            {text('identity.page.cancel')}
          </Button>
        </div>
      </form>
    </div>
  )
}

/** Shown this once: the server keeps their digests alone. */
function RecoveryCodes(props: { codes: readonly string[]; onKept: () => void }): ReactNode {
  const text = useText()
  return (
    <div className={styles['form']} role="group" aria-label={text('identity.page.factor.codes')}>
      <p>{text('identity.page.factor.codes.text')}</p>
      <ul className={account['codes']}>
        {props.codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles['actions']}>
        <CopyButton value={props.codes.join('\n')} what={text('identity.page.factor.codes')} />
        <Button size="md" onClick={props.onKept}>
          {text('identity.page.factor.codes.kept')}
        </Button>
      </div>
    </div>
  )
}
