import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../kernel/markdown-text.ts'
import { readMarkdown } from './read-markdown.ts'

const root = new URL('../../../', import.meta.url)
const one = (source: string) => readMarkdown(source)[0]

test('each kind of what can be written, as a page is told of it', () => {
  expect(one('Of **strong *both*** and `a < b`  \nnext &amp; <b>last</b> \\*')).toEqual([
    {
      kind: 'paragraph',
      nodes: [
        'Of ',
        { kind: 'strong', nodes: ['strong ', { kind: 'emphasis', nodes: ['both'] }] },
        ' and ',
        { kind: 'code', text: 'a < b' },
        { kind: 'break' },
        'next & <b>last</b> *',
      ],
    },
  ])
  expect(one('> said\n\n---\n\n```sh\nls <x>\n```')).toEqual([
    { kind: 'quote', nodes: [{ kind: 'paragraph', nodes: ['said'] }] },
    { kind: 'rule' },
    { kind: 'fence', text: 'ls <x>' },
  ])
  expect(one('0. nought\n1. one\n   - in [it](/x "t")')).toEqual([
    {
      kind: 'list',
      start: 0,
      items: [['nought'], ['one', { kind: 'list', start: null, items: [['in ', { kind: 'link', href: '/x', nodes: ['it'] }]] }]],
    },
  ])
  expect(one('| A | B |\n|---|---|\n| 1 | *2* |')).toEqual([
    { kind: 'table', header: [['A'], ['B']], rows: [[['1'], [{ kind: 'emphasis', nodes: ['2'] }]]] },
  ])
  expect(one('![seen](https://example.com/x.png)')).toEqual([
    { kind: 'paragraph', nodes: ['![seen](https://example.com/x.png)'] },
  ])
})

test('a heading is named after its words; a second-level one begins a section, also where it is told by the line below', () => {
  const sections = readMarkdown(
    '# T\n\nx\n\n## What is it?\n\ny [z][1]\n\nTold *below*\n---\n\n### Été : œuvre\n\n```\n## no\n```\n\n[1]: /far',
  )
  expect(sections.map((section) => section.length)).toEqual([2, 2, 3])
  expect(sections.flat().flatMap((node) => (typeof node !== 'string' && node.kind === 'heading' ? [node.id] : []))).toEqual([
    't',
    'what-is-it',
    'told-below',
    'été-œuvre',
  ])
  expect(sections[1]?.[1]).toEqual({ kind: 'paragraph', nodes: ['y ', { kind: 'link', href: '/far', nodes: ['z'] }] })
})

test('no text is wrong, and none is lost: whatever stands in it is read', () => {
  expect(readMarkdown('')).toEqual([])
  for (const odd of ['\u0000', '[', '**', '`', '<', '# ', '## ', '|', '1.', '[x]:', '\uD800', '> '.repeat(200)])
    expect(readMarkdown(odd), odd).toBeInstanceOf(Array)
  const files = globSync('content/**/*.md', { cwd: root })
  expect(files.length).toBeGreaterThan(20)
  for (const name of files) {
    const source = readFileSync(new URL(name, root), 'utf8')
    const letters = (text: string) => text.replaceAll(/[^\p{L}]/gu, '')
    const written = source.replaceAll(/\]\([^)]*\)|^\[[^\]]+\]:.*$|^ *```\w+$/gm, ' ')
    expect(letters(wordsOf(readMarkdown(source).flat())), name).toBe(letters(written))
  }
})
