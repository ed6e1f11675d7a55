import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { WordsProvider } from '../intl/words.tsx'
import { expect, test } from 'vitest'
import messages from '../messages/en.json' with { type: 'json' }
import { AuthenticationLayout, DefaultLayout, FullLayout, InDefaultLayout, OwnLayout } from './Layouts.tsx'

async function html(layout: ReactNode): Promise<string> {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: ['/en/'] }),
  })
  await router.load()
  const queries = new QueryClient()
  return renderToStaticMarkup(
    <WordsProvider locale="en" words={messages}>
      <QueryClientProvider client={queries}>
        <RouterContextProvider router={router as never}>{layout}</RouterContextProvider>
      </QueryClientProvider>
    </WordsProvider>,
  )
}

test('L-01, L-08: the authentication layout has neither drawer nor footer nor bar, but the other language', async () => {
  const out = await html(<AuthenticationLayout>inside</AuthenticationLayout>)
  expect(out).toContain('inside')
  expect(out).toContain('<main id="content"')
  expect(out).not.toMatch(/<(?:footer|header)\b/)
  expect(out.match(/<nav\b[^>]*>/g)).toEqual([expect.stringContaining('aria-label="Language"')])
  expect(out).toMatch(/href="\/fr\/"[^>]*hrefLang="fr"/)
})

test('L-15 H-04: the full layout has a thin bar and no drawer, no footer', async () => {
  const out = await html(<FullLayout bar="00:42">inside</FullLayout>)
  expect(out).toMatch(/<header[^>]*>00:42<\/header>/)
  expect(out).toContain('Skip to content')
  expect(out).not.toMatch(/<(?:nav|footer)\b/)
})

test('L-02 L-08 L-09 L-13: the default layout has drawer, languages, title and footer', async () => {
  const out = await html(
    <DefaultLayout title="The title" help={null} links={[]}>
      inside
    </DefaultLayout>,
  )
  expect(out).toContain('aria-label="Main menu"')
  expect(out).toMatch(/href="\/fr\/"[^>]*hrefLang="fr"/)
  expect(out).toMatch(/<header[^>]*>.*The title.*<\/header>/)
  expect(out).toMatch(/<footer[^>]*>.*©.*<\/footer>/)
})

test('a page of its own layout is framed where it asks for it, and nowhere else', async () => {
  const frame = (page: ReactNode) => <section>framed {page}</section>
  const chosen = await html(
    <OwnLayout frame={frame}>
      <InDefaultLayout>review</InDefaultLayout>
    </OwnLayout>,
  )
  expect(chosen).toBe('<section>framed review</section>')
  expect(await html(<OwnLayout frame={frame}>session</OwnLayout>)).toBe('session')
})
