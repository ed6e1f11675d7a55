/** Draws a public page with the components of the application, in Node, for whoever asks before his browser can. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Locale } from '../../../kernel/locale.ts'
import { currentMessages, ensureCatalogue } from '../catalogues/catalogues.ts'
import { makeQueries, Providers } from '../Providers.tsx'
import { makeRouter } from '../router.tsx'
import { toSentPage, type SentPage } from './sent-page.ts'

/** One language for each process, as in a browser: the words of a page are those of whoever loaded it. */
export async function writePage(locale: Locale, path: string): Promise<SentPage> {
  const queries = makeQueries()
  const router = makeRouter(locale, queries, { history: createMemoryHistory({ initialEntries: [`/${locale}${path}`] }) })
  await Promise.all([ensureCatalogue(locale, 'shell'), router.load()])
  const drawn = renderToStaticMarkup(
    <Providers locale={locale} messages={currentMessages()} queries={queries} nonce="">
      <RouterProvider router={router} />
    </Providers>,
  )
  // What a component throws is left out in silence.
  if (!drawn.includes('<h1')) throw new Error(`${path} cannot be drawn without a browser`)
  return toSentPage(drawn)
}
