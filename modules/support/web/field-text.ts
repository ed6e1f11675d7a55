import { useFieldText as useWords, type FieldFault } from '../../../ui/forms/use-field-text.ts'

export function useFieldText(): (fault: FieldFault) => string | undefined {
  return useWords((code) => [`support.field.${code}`], 'support.field.invalid')
}
