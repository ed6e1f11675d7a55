import { useOptionalText, useText } from '../../../ui/intl/text.tsx'

/** Words for the code of a field; the contract's codes are the same on both sides (V-46). */
export function useFieldText(): (error: { message?: string | undefined } | undefined) => string | undefined {
  const text = useText()
  const optionalText = useOptionalText()
  return (error) => {
    const code = error?.message
    if (code === undefined) return undefined
    const known = optionalText(`identity.field.${code.replace(/^identity\./, '')}`) ?? optionalText(code)
    return known ?? text('identity.page.field_invalid')
  }
}
