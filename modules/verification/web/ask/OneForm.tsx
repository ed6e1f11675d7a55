import { Button } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { bitcoinSignatureBody, chainpointProofBody, digestBody, eidasBody, nanoSignatureBody } from '../../contract/fields.ts'
import type { FormInput } from '../../domain/proof/verify-form.ts'
import { Field } from './Field.tsx'
import type { FormKind } from './form-kinds.ts'

type FieldOfForm = {
  readonly name: string
  readonly label: 'text' | 'message' | 'signed' | 'signature' | 'proof' | 'digest' | 'address' | 'account'
  readonly long: boolean
  readonly optional?: true
  readonly hint?: 'proof_chainpoint' | 'proof_eidas'
}
const digestField: FieldOfForm = { name: 'digest', label: 'digest', long: false, optional: true }
const signatureField: FieldOfForm = { name: 'signature', label: 'signature', long: true }

/** V-39: each kind has its own fields and the rules of its call. */
const forms = {
  digest: { form: 'digest', rule: digestBody, fields: [{ name: 'text', label: 'text', long: true }, digestField] },
  bitcoin: {
    form: 'bitcoin_signature',
    rule: bitcoinSignatureBody,
    fields: [
      { name: 'message', label: 'message', long: true },
      signatureField,
      { name: 'address', label: 'address', long: false, optional: true },
    ],
  },
  nano: {
    form: 'nano_signature',
    rule: nanoSignatureBody,
    fields: [
      { name: 'message', label: 'signed', long: true },
      signatureField,
      { name: 'account', label: 'account', long: false, optional: true },
    ],
  },
  chainpoint: {
    form: 'chainpoint_proof',
    rule: chainpointProofBody,
    fields: [{ name: 'proof', label: 'proof', long: true, hint: 'proof_chainpoint' }, digestField],
  },
  eidas: {
    form: 'eidas',
    rule: eidasBody,
    fields: [{ name: 'proof', label: 'proof', long: true, hint: 'proof_eidas' }, digestField],
  },
} as const satisfies Record<FormKind, { form: FormInput['form']; rule: unknown; fields: readonly FieldOfForm[] }>

const labelOf = (label: FieldOfForm['label']) =>
  label === 'address' || label === 'account'
    ? (`verification.page.${label}` as const)
    : (`verification.page.field.${label}` as const)

/** Checked on leaving a field and on sending by the rule that the server uses. */
export function OneForm(props: { kind: FormKind; onVerify: (input: FormInput) => void }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const { form, rule, fields } = forms[props.kind]
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const element = useRef<HTMLFormElement>(null)
  const flaws = (): Record<string, string> => {
    const parsed = rule.safeParse(values)
    return Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]).toReversed())
  }
  const check = (name: string) => {
    // Empty is no fault until the form is sent: leaving a field to read on is not a mistake.
    const flaw = (values[name] ?? '') === '' ? undefined : flaws()[name]
    setErrors((all) =>
      Object.fromEntries([
        ...Object.entries(all).filter(([other]) => other !== name),
        ...(flaw === undefined ? [] : [[name, flaw]]),
      ]),
    )
  }
  return (
    <form
      noValidate
      ref={element}
      onSubmit={(event) => {
        event.preventDefault()
        const found = flaws()
        setErrors(found)
        const first = fields.find(({ name }) => found[name] !== undefined)
        if (first === undefined) props.onVerify({ form, ...rule.parse(values) } as FormInput)
        else element.current?.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus()
      }}
    >
      {fields.map((field: FieldOfForm) => {
        const { name, hint } = field
        const flaw = errors[name]
        return (
          <Field
            key={name}
            name={name}
            long={field.long}
            label={text(labelOf(field.label))}
            hint={
              hint === undefined
                ? field.optional === true
                  ? text('verification.page.optional')
                  : undefined
                : text(`verification.page.field.${hint}`)
            }
            error={flaw === undefined ? undefined : (optionalText(flaw) ?? flaw)}
            required={field.optional !== true}
            value={values[name] ?? ''}
            onBlur={() => check(name)}
            onChange={(value) => setValues((all) => ({ ...all, [name]: value }))}
          />
        )
      })}
      <Button type="submit" size="md">
        {text('verification.page.verify')}
      </Button>
    </form>
  )
}
