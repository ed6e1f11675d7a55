import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readMarkdown } from '../../platform/http/pages/read-markdown.ts'
import { headingsOf, Markdown, safeHref } from './Markdown.tsx'

const html = (source: string) => renderToStaticMarkup(<Markdown content={readMarkdown(source)} />)

test('headings, lists, code, tables and links', () => {
  const out = html('## Été : œuvre\n\n1. one **two** `a < b`\n\n| A | B |\n|---|---|\n| 1 | [x](/en/guide/) |\n')
  expect(out).toContain('<h2 id="été-œuvre">Été : œuvre</h2>')
  expect(out).toContain('<strong>two</strong>')
  expect(out).toContain('<code>a &lt; b</code>')
  expect(out).toContain('<th scope="col">A</th>')
  expect(out).toContain('<a href="/en/guide/">x</a>')
})

test('nothing in a text can run, load or point elsewhere than it says', () => {
  const out = html(
    '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![i](https://evil.example/x.png) <b onclick=x>b</b>',
  )
  expect(out).not.toMatch(/<(?:script|img|b)\b/)
  expect(out).not.toMatch(/href="javascript/)
})

test('only web, mail and same-site links lead somewhere', () => {
  for (const good of ['https://example.com/', 'http://example.com', 'mailto:a@b.c', '/en/', '#x'])
    expect(safeHref(good)).toBe(good)
  for (const bad of ['javascript:x', 'JAVASCRIPT:x', 'data:text/html,x', '//evil.example/', 'vbscript:x', ' javascript:x']) {
    expect(safeHref(bad)).toBeNull()
  }
})

test('the table of contents leads to the headings', () => {
  const contents = (source: string) => headingsOf(readMarkdown(source))
  const source = '# T\n\n## First & last\n\ntext\n\n### no\n\n## Été'
  expect(contents(source)).toEqual([
    { id: 'first-last', text: 'First & last' },
    { id: 'été', text: 'Été' },
  ])
  for (const { id } of contents(source)) expect(html(source)).toContain(`id="${id}"`)
  expect(contents('Told by the line below\n---\n\n## A **strong** `one`')).toEqual([
    { id: 'told-by-the-line-below', text: 'Told by the line below' },
    { id: 'a-strong-one', text: 'A strong one' },
  ])
  expect(contents('## First\n\n  ## Further in\n\n## Last').map(({ text }) => text)).toEqual(['First', 'Further in', 'Last'])
})

test('names of algorithms are whole, with a plain hyphen', () => {
  const out = html('Of SHA-256 and **SHA3-512** and SHA-512.')
  expect(out).toMatch(/Of <span class="[^"]+">SHA-256<\/span> and/)
  expect(out.replaceAll(/<[^>]*>/g, '')).toBe('Of SHA-256 and SHA3-512 and SHA-512.')
})
