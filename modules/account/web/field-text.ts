import { useOptionalText, useText } from '../../../ui/intl/text.tsx'

/** Words for the code of a field; the same code is the server's (V-46). */
export function useFieldText(): (error: { message?: string | undefined } | undefined) => string | undefined {
  const text = useText()
  const optionalText = useOptionalText()
  return (error) => {
    const code = error?.message
    if (code === undefined) return undefined
    return optionalText(`account.field.${code}`) ?? optionalText(code) ?? text('account.page.field_invalid')
  }
}
