import { useOptionalText, useText, type MessageId } from '../intl/text.tsx'

/** Of `failure`, the words of a call that failed for another reason than what was typed: they are shown as they are. */
export type FieldFault = { readonly type?: unknown; readonly message?: string | undefined } | undefined

/**
 * Words for the fault of a field; the contract's codes are the same on both sides (V-46).
 * @param wordsOf ids that the code may have words under, the closest first
 * @param otherwise where it has none
 */
export function useFieldText(
  wordsOf: (code: string) => readonly string[],
  otherwise: MessageId,
): (fault: FieldFault) => string | undefined {
  const text = useText()
  const optionalText = useOptionalText()
  return (fault) => {
    if (fault?.message === undefined) return undefined
    if (fault.type === 'failure') return fault.message
    for (const id of wordsOf(fault.message)) {
      const words = optionalText(id)
      if (words !== null) return words
    }
    return text(otherwise)
  }
}
