import { useOptionalText } from '../../../ui/intl/text.tsx'

/** Of a field of the profile, by its wire name; the name itself where the page has no words for it. */
export function useFieldName(): (field: string) => string {
  const optional = useOptionalText()
  return (field) => optional(`account.page.field.${field}`) ?? optional(`review.page.field.${field}`) ?? field
}
