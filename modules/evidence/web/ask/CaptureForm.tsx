import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { PriceOf } from '../../../../ui/shell/PriceOf.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { hold } from '../held/held-evidences.ts'
import { useWork, wasCancelled } from '../../../../ui/work/use-work.tsx'
import type { ChosenOptions } from './capture-options.ts'
import styles from './capture-form.module.css'

/** The rule and the call, with the schema library behind them, come when the field is first touched, not with the page. */
const rules = () => loadChunk(() => import('./ask-for-capture.ts'))

/** So do the options, when they are first opened. */
const CaptureOptions = lazy(async () => ({
  default: (await loadChunk(() => import('./CaptureOptions.tsx'))).CaptureOptions,
}))

const draftKey = 'probant.address'

/**
 * What the address of this page asks for (another program shared an address with us), or what was typed last in this tab; a browser that
 * refuses storage keeps nothing, and throws already where it is named.
 */
function keptAddress(): string {
  try {
    const asked = new URLSearchParams(location.search)
    return asked.get('url') ?? addressIn(asked.get('text')) ?? sessionStorage.getItem(draftKey) ?? ''
  } catch {
    return ''
  }
}
/** Programs share an address within a sentence, too. */
const addressIn = (text: string | null): string | null => /https?:\/\/\S+/i.exec(text ?? '')?.[0] ?? null

function keepAddress(typed: string | null): void {
  try {
    if (typed === null) sessionStorage.removeItem(draftKey)
    else sessionStorage.setItem(draftKey, typed)
  } catch {
    // Then it lasts as long as the page.
  }
}

const nothingChosen: ChosenOptions = {
  scenario: '',
  scenario_input: {},
  close_cookies: false,
  server: '',
  second_server: '',
  device: 'desktop',
  store: true,
}
/** Those that one chooses; the input is a scenario's. */
const optionNames = (Object.keys(nothingChosen) as (keyof ChosenOptions)[]).filter((name) => name !== 'scenario_input')
/** Whether what the server finds wrong is one of them: `server`, `scenario_input.name`. */
const isOption = (field: string): boolean => Object.hasOwn(nothingChosen, field.replace(/\..*/, ''))

type Action = 'static' | 'interactive'

/** What the settings of the account say, once they are read; nothing for whoever has none. */
function useStartingOptions(): Partial<ChosenOptions> {
  const session = useSession()
  const account = session === null ? null : `${session.userId} ${session.delegation ?? ''}`
  const [read, setRead] = useState<{ account: string; options: Partial<ChosenOptions> } | null>(null)
  useEffect(() => {
    if (account === null) return
    void loadChunk(() => import('./starting-options.ts'))
      .then(({ startingOptions }) => startingOptions())
      .then((options) => setRead({ account, options }))
      // Then a capture begins as it does without settings, and its options say so.
      .catch(() => undefined)
  }, [account])
  return read !== null && read.account === account ? read.options : {}
}

/** V-24, V-25, V-27, H-21: one field, two buttons; checked on blur and on submit by the rule that the server uses; what was typed is never lost. */
export function CaptureForm(): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const locale = useLocale()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const settings = useStartingOptions()
  const [picked, setPicked] = useState<Partial<ChosenOptions>>({})
  const chosen: ChosenOptions = { ...nothingChosen, ...settings, ...picked }
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const input = useRef<HTMLInputElement>(null)
  const [kept] = useState(keptAddress)
  const [error, setError] = useState<string>()
  /** Once it was sent it is checked as it is typed; before, when it is left. */
  const sent = useRef(false)
  const wordsOf = (code: string): string =>
    optionalText(`evidence.address.${code}`) ??
    optionalText(`capture.failure.${code}`) ??
    text('evidence.address.unparseable_address')
  const { send, dialog } = useWork('evidence.work.text')
  const creation = useMutation({
    mutationFn: async ({ url, action }: { url: string; action: Action }) =>
      await send(async (work) => await (await rules()).askForCapture({ url, action, locale }, picked, work)),
    onSuccess: async ({ evidence, evidence_token }) => {
      if (evidence_token !== null)
        hold({ id: evidence.id, token: evidence_token, page_url: evidence.page_url, created_at: evidence.created_at })
      keepAddress(null)
      await navigate({ to: '/$locale/capture/$id/', params: { locale, id: evidence.id } })
    },
    onError: (error) => {
      if (wasCancelled(error)) return
      const wrong = error instanceof ApiError ? Object.entries(error.fields).filter(([name]) => isOption(name)) : []
      setFaults(Object.fromEntries(wrong.map(([name, codes]) => [name, codes[0] ?? 'unknown'])))
      if (wrong.length > 0) {
        setOpen(true)
        return
      }
      const code = error instanceof ApiError ? error.fields['url']?.[0] : undefined
      const hint =
        error instanceof ApiError && error.code === 'evidence.preview_quota' ? ` ${text('evidence.preview_quota.hint')}` : ''
      const message = code === undefined ? `${errorText(error)}${hint}` : wordsOf(code)
      fail(message)
    },
  })
  function fail(message: string): void {
    setError(message)
    input.current?.focus()
  }
  const faultOf = async (url: string): Promise<string | undefined> => {
    // Empty is no fault until the form is sent: leaving the field to read on is not a mistake.
    const code = url.trim() === '' ? null : (await rules()).flawOfAddress(url)
    return code === null ? undefined : wordsOf(code)
  }
  /** What was typed meanwhile is another address. */
  const check = async (url: string): Promise<void> => {
    const fault = await faultOf(url)
    if (input.current?.value === url) setError(fault)
  }
  const ask = async (url: string, action: Action): Promise<void> => {
    sent.current = true
    const fault = url.trim() === '' ? wordsOf('required') : await faultOf(url)
    if (fault === undefined) {
      setError(undefined)
      creation.mutate({ url, action })
    } else fail(fault)
  }
  const busy = (action: Action) => (creation.isPending || creation.isSuccess) && creation.variables.action === action
  // Said also when they are folded away: nothing is asked for behind the visitor's back.
  const count = optionNames.filter((name) => chosen[name] !== nothingChosen[name]).length
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent
        const action: Action =
          submitter instanceof HTMLButtonElement && submitter.value === 'interactive' ? 'interactive' : 'static'
        event.preventDefault()
        void ask(input.current?.value ?? '', action)
      }}
    >
      <label className={styles['label']} htmlFor="page-address">
        {text('evidence.form.address')}
      </label>
      <div className={styles['row']}>
        <input
          ref={input}
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
          data-kept=""
          defaultValue={kept}
          onChange={({ currentTarget: { value } }) => {
            keepAddress(value)
            if (sent.current) void check(value)
          }}
          onBlur={({ currentTarget: { value } }) => void check(value)}
          onFocus={() => void rules()}
        />
        <Button type="submit" h="3.5rem" px="xl" fz="1.125rem" loading={busy('static')} disabled={busy('interactive')}>
          {text('evidence.form.capture')}
        </Button>
      </div>
      <p id="page-address-error" className={styles['error']} role="alert">
        {error}
      </p>
      <PriceOf what="evidence" />
      <div className={styles['live']}>
        <Button
          type="submit"
          value="interactive"
          variant="default"
          size="md"
          aria-describedby="live-what"
          loading={busy('interactive')}
          disabled={busy('static')}
        >
          {text('evidence.form.interactive')}
        </Button>
        <p id="live-what">{text('evidence.form.interactive.what')}</p>
      </div>
      <details className={styles['options']} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {text('evidence.options.open')}
          {count === 0 ? null : <b> · {text('evidence.options.chosen', { count })}</b>}
        </summary>
        {open ? (
          <Suspense fallback={<p className={styles['loading']}>{text('ui.loading')}</p>}>
            <CaptureOptions
              chosen={chosen}
              faults={faults}
              choose={(change) => {
                setPicked((before) => ({ ...before, ...change }))
                setFaults({})
              }}
            />
          </Suspense>
        ) : null}
      </details>
      {dialog}
    </form>
  )
}
