import type { Locale } from '../../../kernel/locale.ts'
import { call } from '../../../ui/api/call.ts'
import { readDisputePack } from '../contract/packs.ts'

export const packQuery = (id: string, language: Locale) => ({
  queryKey: ['dispute', id, language] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call(readDisputePack, { params: { id }, query: { language }, signal }),
  staleTime: 0,
  // What is being typed is not taken away.
  refetchOnWindowFocus: false,
})
