import type { ComponentProps, ReactNode } from 'react'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useText } from '../../../../ui/intl/text.tsx'

/** An e-mail address; the one that somebody signs in with, unless told. */
export function EmailField(
  props: Pick<ComponentProps<typeof Field>, 'field' | 'error'> & { autoComplete?: 'username' | 'email' },
): ReactNode {
  const text = useText()
  return (
    <Field
      field={props.field}
      label={text('identity.page.email')}
      type="email"
      autoComplete={props.autoComplete ?? 'username'}
      inputMode="email"
      spellCheck={false}
      autoCapitalize="none"
      error={props.error}
    />
  )
}
