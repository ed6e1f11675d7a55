import { execFileSync } from 'node:child_process'
import { DOMParser } from '@xmldom/xmldom'
import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { C14nCanonicalization } from 'xml-crypto'
import { utf8 } from '../../../../kernel/bytes.ts'
import { MalformedError } from '../encoding/der.ts'
import { canonical, inclusiveForm } from './canonicalise.ts'
import { childrenOf, readXml } from './read-xml.ts'
import { share } from '../../../../testing/sweep.ts'

/** Prefixes that mean several things, values to escape, default namespaces. */
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '\t', '<', '>', '&', '"', "'", '\r', 'é', '\u{1f600}'),
  maxLength: 6,
})
const escaped = (value: string) => value.replaceAll(/[&<>"'\r\t\n]/g, (unit) => `&#${String(unit.codePointAt(0))};`)
/** Python forgets which of two prefixes was written when both mean one namespace. */
const uri = (prefix: string) => fc.constantFrom(`urn:${prefix}:1`, `urn:${prefix}:2`)

const tree = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .record({
      prefix: fc.constantFrom('', 'p', 'q'),
      name: fc.constantFrom('a', 'b'),
      default: fc.option(uri('d')),
      p: uri('p'),
      q: uri('q'),
      plain: fc.option(text),
      prefixed: fc.option(fc.tuple(fc.constantFrom('p', 'q'), text)),
      children: fc.array(fc.oneof({ maxDepth: 4 }, text.map(escaped), fc.constant('<!-- c -->'), tie('element')), {
        maxLength: 3,
      }),
    })
    .map(({ prefix, name, p, q, plain, prefixed, children, ...rest }) => {
      const tag = prefix === '' ? name : `${prefix}:${name}`
      const own = rest.default === null ? '' : ` xmlns="${rest.default}"`
      const attributes = `${plain === null ? '' : ` z="${escaped(plain)}"`}${prefixed === null ? '' : ` ${prefixed[0]}:y='${escaped(prefixed[1])}'`}`
      return `<${tag} xmlns:q="${q}"${own}${attributes} xmlns:p="${p}">${children.join('')}</${tag} >`
    }),
}))

const parsed = (xml: string) => {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement
  if (root === null) throw new Error('xmldom read nothing')
  return root
}

test('any document has the canonical form that Python gives it', () => {
  const documents = fc.sample(tree.element, { numRuns: 1000, seed: 7 })
  // Canonical XML 2.0 without parameters is the exclusive form (W3C xml-c14n2 §1.4).
  const script =
    'import sys,json,xml.etree.ElementTree as E\njson.dump([E.canonicalize(x) for x in json.load(sys.stdin)],sys.stdout)'
  const theirs = JSON.parse(
    execFileSync('python3', ['-c', script], { input: JSON.stringify(documents), encoding: 'utf8', maxBuffer: 1 << 26 }),
  ) as string[]
  expect(theirs).toHaveLength(documents.length)
  expect(documents.map((xml) => new TextDecoder().decode(canonical(readXml(utf8(xml)))))).toEqual(theirs)
})

// Python and xml-crypto both differ from the Recommendation here, each in its own way: what follows is written by hand from it.
test.each([
  ['<a xmlns="urn:d"><b xmlns=""><c/></b></a>', '<a xmlns="urn:d"><b xmlns=""><c></c></b></a>'],
  ['<a xmlns="urn:d"><p:b xmlns="" xmlns:p="urn:p" z=""/></a>', '<a xmlns="urn:d"><p:b xmlns:p="urn:p" z=""></p:b></a>'],
  ['<a xmlns="urn:d"><b xmlns=""><c xmlns="urn:d"/></b></a>', '<a xmlns="urn:d"><b xmlns=""><c xmlns="urn:d"></c></b></a>'],
  ['<a xmlns=""><b/></a>', '<a><b></b></a>'],
])('a default namespace that is given back is said once: %s', (xml, expected) => {
  expect(new TextDecoder().decode(canonical(readXml(utf8(xml))))).toBe(expected)
})

test('an element inside has the inclusive form that another library gives it', () => {
  const xml = '<r xmlns="urn:d" xmlns:p="urn:p" xmlns:u="urn:unused" xml:lang="en"><p:a b="1"><c xmlns=""/></p:a></r>'
  const [inner] = childrenOf(readXml(utf8(xml)), 'urn:p', 'a')
  if (inner === undefined) throw new Error('not found')
  const ours = new TextDecoder().decode(canonical(inner, inclusiveForm))
  expect(ours).toBe('<p:a xmlns="urn:d" xmlns:p="urn:p" xmlns:u="urn:unused" b="1" xml:lang="en"><c xmlns=""></c></p:a>')
  const whole = readXml(utf8(xml))
  const theirs = new C14nCanonicalization().process(parsed(xml), {})
  expect(new TextDecoder().decode(canonical(whole, inclusiveForm))).toBe(theirs)
})

test(`${share(10_000)} altered documents are read or refused, never anything else`, () => {
  const sound =
    '<?xml version="1.0" encoding="UTF-8"?><r xmlns="urn:d" xmlns:p="urn:p"><p:a b="1&amp;2">text<!-- c --><![CDATA[<x>]]></p:a></r>'
  const bytes = utf8(sound)
  let read = 0
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let i = 0; i < share(10_000); i += 1) {
    const altered = bytes.slice()
    for (let times = 1 + random(4); times > 0; times -= 1) altered[random(altered.length)] = random(128)
    try {
      readXml(altered)
      read += 1
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedError)
    }
  }
  expect(read).toBeGreaterThan(0)
})
