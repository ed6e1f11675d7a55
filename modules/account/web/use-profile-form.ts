import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { locales } from '../../../kernel/locale.ts'
import { ApiError } from '../../../ui/api/api-error.ts'
import { call } from '../../../ui/api/call.ts'
import { serverNow } from '../../../ui/api/server-clock.ts'
import { currentSession } from '../../../ui/api/session.ts'
import { keepAnswer } from '../../../ui/api/keep-answer.ts'
import { useZodForm } from '../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useLocale } from '../../../ui/intl/text.tsx'
import { changeProfile as saveChange } from '../contract/endpoints.ts'
import { profileChange, type CurrentUser, type Profile } from '../contract/profile.ts'
import { changeProfile, profileFieldNames, profileFields, type ProfileField, type ProfileValues } from '../domain/profile.ts'
import { countryNames, type CountryNames } from './country-names.ts'
import { currentUserQuery } from './current-user.ts'

export type Typed = Record<ProfileField, string>
export type SaveState = 'saving' | 'saved' | 'unsaved'

/** What was typed and could not be saved yet, while the page is open: by account, in memory alone. */
const kept = new Map<string, Partial<Typed>>()
const keyOf = (profile: Profile) => `${currentSession()?.token ?? ''} ${profile.id}`

const isCountry = (field: ProfileField) => profileFields[field].kind === 'country'
const record = <T>(value: (field: ProfileField) => T) =>
  Object.fromEntries(profileFieldNames.map((field) => [field, value(field)])) as Record<ProfileField, T>
const typedOf = (profile: Profile, names: CountryNames): Typed =>
  record((field) => (isCountry(field) ? names.nameOf(profile[field] ?? '') : (profile[field] ?? '')))

const without = <T extends object>(record: T, field: ProfileField): T =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== field)) as T

export type ProfileForm = {
  readonly form: UseFormReturn<Typed>
  readonly names: CountryNames
  readonly states: Readonly<Partial<Record<ProfileField, SaveState>>>
  /** What the server has by now where somebody saved another value elsewhere, as he would read it. */
  readonly elsewhere: Readonly<Partial<Typed>>
  /** Saves one field when it is left; those that are as they were, or wrong, are not sent. */
  readonly save: (field: ProfileField) => void
  readonly saveAll: () => void
}

/**
 * A profile that is saved as it is typed: field by field, one call at a time in the order in which they were left, and only what
 * differs, so that two windows do not overwrite each other's fields. What cannot be saved stays in its field.
 */
export function useProfileForm(profile: Profile): ProfileForm {
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const names = useMemo(() => countryNames(locale, locales), [locale])
  const server = useRef<{ readonly profile: Profile; readonly typed: Typed } | null>(null)
  server.current ??= { profile, typed: typedOf(profile, names) }
  const queue = useRef<Promise<void>>(Promise.resolve())
  const [states, setStates] = useState<ProfileForm['states']>(() => {
    const waiting = Object.keys(kept.get(keyOf(profile)) ?? {})
    return Object.fromEntries(waiting.map((field) => [field, 'unsaved']))
  })
  const [elsewhere, setElsewhere] = useState<Partial<Typed>>({})
  const onServer = () => server.current ?? { profile, typed: typedOf(profile, names) }
  const wire = (field: ProfileField, typed: string) => (isCountry(field) && typed.trim() !== '' ? names.codeOf(typed) : typed)
  const changeOf = (values: Typed) =>
    Object.fromEntries(
      profileFieldNames
        .filter((field) => values[field] !== onServer().typed[field])
        .map((field) => [field, wire(field, values[field])]),
    )
  const form = useZodForm<Typed>(
    (values) => profileChange.safeParse(changeOf(values)),
    { ...onServer().typed, ...kept.get(keyOf(profile)) },
    (values) => {
      const before = record((field) => onServer().profile[field]) as ProfileValues
      const { faults } = changeProfile(before, changeOf(values), new Date(serverNow()).toISOString().slice(0, 10))
      return Object.fromEntries(Object.entries(faults).map(([field, [code]]) => [field, code ?? 'characters']))
    },
  )
  const { getValues, setValue, setError, trigger } = form
  const differing = () => profileFieldNames.filter((field) => getValues(field) !== onServer().typed[field])
  const keep = () => {
    const left = differing()
    if (left.length === 0) kept.delete(keyOf(profile))
    else kept.set(keyOf(profile), Object.fromEntries(left.map((field) => [field, getValues(field)])))
  }
  const tell = (field: ProfileField, state: SaveState | null) =>
    setStates((others) => (state === null ? without(others, field) : { ...others, [field]: state }))
  const forgetElsewhere = (field: ProfileField) => setElsewhere((others) => without(others, field))

  const send = async (field: ProfileField): Promise<void> => {
    const typed = getValues(field)
    if (typed === onServer().typed[field]) {
      tell(field, null)
      forgetElsewhere(field)
      return
    }
    if (!(await trigger(field))) {
      tell(field, 'unsaved')
      return
    }
    tell(field, 'saving')
    try {
      // An answer that is on its way is of before.
      await client.cancelQueries({ queryKey: currentUserQuery.queryKey })
      const value = wire(field, typed)
      const before = onServer().typed
      const answer = await call(saveChange, {
        params: { id: profile.id },
        body: { [field]: value.trim() === '' ? null : value, before: { [field]: wire(field, before[field]) || null } },
      })
      const now = typedOf(answer, names)
      // Numbers and names come back as they are kept; what is being typed meanwhile stays.
      if (getValues(field) === typed) setValue(field, now[field])
      server.current = { profile: answer, typed: { ...before, [field]: now[field] } }
      forgetElsewhere(field)
      tell(field, 'saved')
      keepAnswer<CurrentUser>(client, currentUserQuery.queryKey, (old) => (old === undefined ? old : { ...old, ...answer }))
    } catch (error) {
      tell(field, 'unsaved')
      // It is shown beside what was typed, once it is read; what is saved after that was chosen.
      if (error instanceof ApiError && error.code === 'account.changed_meanwhile')
        return await client.refetchQueries({ queryKey: currentUserQuery.queryKey })
      const [code] = error instanceof ApiError ? (error.fields[field] ?? []) : []
      setError(field, code === undefined ? { type: 'failure', message: errorText(error) } : { type: 'server', message: code })
    }
  }
  const save = (field: ProfileField) => {
    queue.current = queue.current.then(() => send(field)).finally(keep)
  }

  // Saved elsewhere meanwhile: taken over where nothing else was typed, told where something was.
  useEffect(() => {
    const before = onServer()
    const now = typedOf(profile, names)
    const told: Partial<Typed> = {}
    for (const field of profileFieldNames) {
      if (now[field] === before.typed[field]) continue
      if (getValues(field) === before.typed[field]) setValue(field, now[field])
      else if (getValues(field) !== now[field]) told[field] = now[field]
    }
    server.current = { profile, typed: now }
    if (Object.keys(told).length > 0) setElsewhere((others) => ({ ...others, ...told }))
    // The profile alone tells that something was saved elsewhere.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [profile])

  const isWaiting = useRef(differing)
  isWaiting.current = differing
  const keeping = useRef(keep)
  keeping.current = keep
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isWaiting.current().length > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      keeping.current()
    }
  }, [])

  return {
    form,
    names,
    states,
    elsewhere,
    save,
    saveAll: () => {
      // Where somebody saved another value, one of both is chosen first.
      for (const field of differing()) if (elsewhere[field] === undefined) save(field)
    },
  }
}
