import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { changeProfile, readCurrentProfile } from '../../contract/endpoints.ts'
import { profileChange, type CurrentUser } from '../../contract/profile.ts'
import { mostOwners, ownerFields, readOwners, type BeneficialOwner, type OwnerField } from '../../domain/beneficial-owners.ts'
import type { CountryNames } from '../country-names.ts'
import { useFieldText } from '../field-text.ts'
import { currentUserQuery } from '../current-user.ts'
import { useUnsavedWarning } from '../use-unsaved-warning.ts'
import styles from '../account-pages.module.css'
import { CardForm } from './CardForm.tsx'
import { TypedLine } from './TypedLine.tsx'

type Owners = readonly BeneficialOwner[]
type Typed = Record<OwnerField | 'share_percent', string>

class ChangedElsewhere extends Error {}

/** Sends the whole list, unless somebody changed it since it was shown: then his change is shown, and nothing is lost of either. */
function useSaveOwners(user: CurrentUser) {
  const client = useQueryClient()
  const shown = JSON.stringify(user.beneficial_owners)
  return useMutation({
    mutationFn: async (owners: Owners) => {
      const now = await call(readCurrentProfile, {})
      if (JSON.stringify(now.beneficial_owners) !== shown) {
        keepAnswer(client, currentUserQuery.queryKey, now)
        throw new ChangedElsewhere()
      }
      return await call(changeProfile, { params: { id: user.id }, body: { beneficial_owners: [...owners] } })
    },
    onSuccess: (profile) =>
      keepAnswer<CurrentUser>(client, currentUserQuery.queryKey, (old) => (old === undefined ? old : { ...old, ...profile })),
  })
}

/** H-31: who owns or controls the company. */
export function BeneficialOwners(props: { user: CurrentUser; names: CountryNames }): ReactNode {
  const text = useText()
  const { user, names } = props
  const owners = user.beneficial_owners
  /** Which is being written: one more is the one after the last. */
  const [editing, setEditing] = useState<number | null>(null)
  const [removing, setRemoving] = useState<number | null>(null)
  const removal = useSaveOwners(user)
  const faultText = useFaultText()
  const nameOf = (owner: BeneficialOwner | undefined) =>
    owner === undefined ? '' : visible(`${owner.first_name} ${owner.last_name}`)
  return (
    <section className={styles['section']}>
      <h2>{text('account.page.owners.title')}</h2>
      <p className={styles['soft']}>{text('account.page.owners.lead')}</p>
      <ul className={styles['list']}>
        {owners.map((owner, n) => (
          <li key={`${n} ${nameOf(owner)}`} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{nameOf(owner)}</strong>
              <br />
              {text('account.page.owners.holds', { share: owner.share_percent })}
            </div>
            <div className={styles['actions']}>
              <Button
                variant="default"
                aria-label={`${text('account.page.change')} – ${nameOf(owner)}`}
                onClick={() => setEditing(n)}
              >
                {text('account.page.change')}
              </Button>
              <Button
                variant="default"
                aria-label={`${text('account.page.remove')} – ${nameOf(owner)}`}
                onClick={() => setRemoving(n)}
              >
                {text('account.page.remove')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <p className={styles['fault']} role="alert">
        {removal.isError ? faultText(removal.error) : null}
      </p>
      {editing === null ? (
        owners.length < mostOwners ? (
          <div className={styles['actions']}>
            <Button variant="default" size="md" onClick={() => setEditing(owners.length)}>
              {text('account.page.owners.add')}
            </Button>
          </div>
        ) : null
      ) : (
        <OwnerForm key={editing} user={user} names={names} index={editing} onClose={() => setEditing(null)} />
      )}
      <ConfirmDialog
        open={removing !== null}
        title={text('account.page.owners.remove')}
        text={text('account.page.owners.remove.text', { name: nameOf(owners[removing ?? -1]) })}
        confirm={text('account.page.remove')}
        cancel={text('account.page.cancel')}
        destructive
        busy={removal.isPending}
        onConfirm={() =>
          removal.mutate(
            owners.filter((_, n) => n !== removing),
            {
              onSettled: () => {
                setRemoving(null)
                setEditing(null)
              },
            },
          )
        }
        onClose={() => setRemoving(null)}
      />
    </section>
  )
}

function useFaultText(): (error: Error) => string {
  const text = useText()
  const errorText = useErrorText()
  const fieldText = useFieldText()
  return (error) => {
    if (error instanceof ChangedElsewhere) return text('account.page.owners.elsewhere')
    const [code] = error instanceof ApiError ? (error.fields['beneficial_owners'] ?? []) : []
    return (code === undefined ? undefined : fieldText({ message: code })) ?? errorText(error)
  }
}

function OwnerForm(props: { user: CurrentUser; names: CountryNames; index: number; onClose: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const fieldText = useFieldText()
  const faultText = useFaultText()
  const countries = useId()
  const { user, names, index } = props
  const owners = user.beneficial_owners
  const held = owners[index]
  const isCountry = (field: OwnerField) => field === 'birth_country' || field === 'nationality'
  const shownOf = (field: OwnerField) => {
    const value = held?.[field] ?? ''
    return isCountry(field) ? names.nameOf(value) : value
  }
  const share = held === undefined ? '' : String(held.share_percent)
  const initial = {
    ...Object.fromEntries(ownerFields.map((field) => [field, shownOf(field)])),
    share_percent: locale === 'fr' ? share.replace('.', ',') : share,
  } as Typed
  const ownerOf = (typed: Typed) => {
    const percent = typed.share_percent.replace(',', '.').replace(/[\s%]/g, '')
    return {
      ...(Object.fromEntries(
        ownerFields.map((field) => [field, isCountry(field) ? names.codeOf(typed[field]) : typed[field]]),
      ) as Record<OwnerField, string>),
      share_percent: percent === '' ? null : Number.isNaN(Number(percent)) ? 0 : Number(percent),
    }
  }
  /** The form lets none through without a share. */
  const listOf = (typed: Typed): Owners => {
    const owner = ownerOf(typed)
    return [...owners.slice(0, index), { ...owner, share_percent: owner.share_percent ?? 0 }, ...owners.slice(index + 1)]
  }
  const form = useZodForm<Typed>(
    (typed) => profileChange.safeParse({ beneficial_owners: [ownerOf(typed)] }),
    initial,
    (typed) => {
      const read = readOwners([ownerOf(typed)], new Date(serverNow()).toISOString().slice(0, 10))
      if (!('faults' in read)) return {}
      return Object.fromEntries(
        Object.entries(read.faults).map(([path, [code]]) => [path.replace('beneficial_owners.0.', ''), code ?? 'characters']),
      )
    },
  )
  const saving = useSaveOwners(user)
  useUnsavedWarning(form.formState.isDirty)
  const { errors } = form.formState
  const save = (typed: Typed) => {
    saving.mutate(listOf(typed), {
      onSuccess: props.onClose,
      onError: (error) => {
        const faults = error instanceof ApiError ? Object.entries(error.fields) : []
        for (const [path, [code = 'characters']] of faults) {
          const field = path.replace(`beneficial_owners.${index}.`, '')
          if (field in initial) form.setError(field as keyof Typed, { type: 'server', message: code })
        }
      },
    })
  }
  return (
    <CardForm
      aria-label={text('account.page.owners.title')}
      fault={saving.isError && Object.keys(errors).length === 0 ? faultText(saving.error) : null}
      submit={text('account.page.save')}
      busy={saving.isPending}
      more={
        <Button variant="default" size="md" onClick={props.onClose}>
          {text('account.page.cancel')}
        </Button>
      }
      onSubmit={(event) => void form.handleSubmit(() => save(form.getValues()))(event)}
    >
      <datalist id={countries}>
        {names.all.map(({ code, name }) => (
          <option key={code} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <div className={styles['fields']}>
        {ownerFields.map((field) => (
          <TypedLine
            key={field}
            registered={form.register(field)}
            label={text(`account.page.owner.${field}`)}
            error={fieldText(errors[field])}
            {...(field === 'birth_date' ? { type: 'date' as const } : {})}
            {...(isCountry(field) ? { list: countries } : {})}
            autoComplete="off"
          />
        ))}
        <TypedLine
          registered={form.register('share_percent')}
          label={text('account.page.owner.share_percent')}
          error={fieldText(errors.share_percent)}
          inputMode="decimal"
          autoComplete="off"
        />
      </div>
    </CardForm>
  )
}
