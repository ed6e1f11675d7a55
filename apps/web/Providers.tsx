import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Locale } from '../../kernel/locale.ts'
import { statusOf } from '../../ui/api/api-error.ts'
import { WordsProvider } from '../../ui/intl/words.tsx'
import { theme } from '../../ui/theme/theme.ts'
import type { Catalogue } from './catalogues/catalogues.ts'

export const makeQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A refusal stays a refusal; only a lost connection or an unavailable server is worth a second try.
        retry: (failures, error) => failures < 2 && statusOf(error) >= 500,
      },
    },
  })

/** What every page stands in, in a browser and where pages are written ahead. */
export function Providers(props: {
  locale: Locale
  messages: Catalogue
  queries: QueryClient
  /** Of the page's policy, for the styles that the kit has to add while running. */
  nonce: string
  children: ReactNode
}): ReactNode {
  return (
    <WordsProvider locale={props.locale} words={props.messages}>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} getStyleNonce={() => props.nonce}>
        <QueryClientProvider client={props.queries}>{props.children}</QueryClientProvider>
      </MantineProvider>
    </WordsProvider>
  )
}
