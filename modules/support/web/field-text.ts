import { useFieldText as useWords, type FieldFault } from '../../../ui/forms/use-field-text.ts'

/** V-46: the codes of the contract, in words. */
export function useFieldText(): (fault: FieldFault) => string | undefined {
  return useWords((code) => [`support.field.${code}`], 'support.field.invalid')
}
