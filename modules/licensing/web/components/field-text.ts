import { useFieldText as useWords, type FieldFault } from '../../../../ui/forms/use-field-text.ts'

export function useFieldText(): (fault: FieldFault) => string | undefined {
  return useWords((code) => [`licensing.field.${code}`], 'licensing.field.invalid')
}
