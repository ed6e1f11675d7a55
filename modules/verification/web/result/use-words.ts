import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useOptionalText } from '../../../../ui/intl/text.tsx'
import { useSpeaker } from '../../../../ui/intl/words.tsx'
import type { Words } from '../../domain/describe/describe-check.ts'

/** The page's language for the sentences that the command line and verify.html use too. */
export function useWords(): Words {
  const optionalText = useOptionalText()
  const locale = useLocale()
  const { words } = useSpeaker()
  return {
    format: (id, values) => optionalText(id, values) ?? id,
    has: (id) => Object.hasOwn(words, id),
    instant: (iso) => formatExact(iso, locale),
  }
}
