import type { ProfileValues } from '../../domain/profile.ts'
import type { TypedField } from './typed-profile.ts'

/** What of a profile says who somebody is to others: compared with what his identity was verified by. */
export function namingOf(values: ProfileValues): readonly TypedField[] {
  const fields = [
    'first_name',
    'last_name',
    'user_type',
    ...(values.user_type === 'legal' ? (['company_name'] as const) : []),
  ] as const
  return fields.map((field) => ({ field, value: values[field] }))
}
