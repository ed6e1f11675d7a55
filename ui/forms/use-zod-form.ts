import {
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from '../api/api-error.ts'

/**
 * A form under the rules of a contract: the same schema, and so the same codes, as on the server (V-46). Checked when a field is
 * left, from then on as it is typed, and when the form is sent; the first field at fault takes the focus; what was typed stays.
 * @param rule of the contract
 * @param across rules between fields, told also while other fields are still at fault: code by name of field
 */
export function useZodForm<Values extends FieldValues>(
  rule: (values: Values) => z.ZodSafeParseResult<unknown>,
  defaultValues: DefaultValues<Values>,
  across?: (values: Values) => Partial<Record<FieldPath<Values>, string>>,
): UseFormReturn<Values> {
  return useForm<Values>({
    mode: 'onTouched',
    reValidateMode: 'onChange',
    defaultValues,
    resolver: (values) => {
      const parsed = rule(values)
      const codes = new Map<string, string>()
      for (const { path, message } of parsed.success ? [] : parsed.error.issues) {
        const name = path.join('.')
        if (!codes.has(name)) codes.set(name, message)
      }
      for (const [name, code] of Object.entries(across?.(values) ?? {})) {
        if (typeof code === 'string' && !codes.has(name)) codes.set(name, code)
      }
      if (codes.size === 0) return { values, errors: {} }
      const errors = Object.fromEntries([...codes].map(([name, message]) => [name, { type: 'rule', message }]))
      return { values: {}, errors: errors as FieldErrors<Values> }
    },
  })
}

/** Puts what the server found wrong beside its fields; the first takes the focus. @returns whether it named a field of this form */
export function showFieldErrors<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const known = Object.entries(error.fields).filter(([name, codes]) => name in form.getValues() && codes.length > 0)
  known.forEach(([name, [message = 'invalid']], i) =>
    form.setError(name as FieldPath<Values>, { type: 'server', message }, { shouldFocus: i === 0 }),
  )
  return known.length > 0
}
