import { expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { MalformedError } from '../encoding/der.ts'
import { readXml, textOf } from './read-xml.ts'
import type { XmlLeniency } from './read-xml.ts'

const textIn = (xml: string | Uint8Array, also?: XmlLeniency): string =>
  textOf(readXml(typeof xml === 'string' ? utf8(xml) : xml, also))

test.each<[string, keyof XmlLeniency, string]>([
  ['an instruction before the document', 'instructions', '<?xml version="1.0"?><?style a="b"?><r>text</r>'],
  ['an instruction inside, with what looks like an element', 'instructions', '<r>te<?x </r><r> ?>xt</r>'],
  ['an instruction after the document', 'instructions', '<r>text</r><?x?>'],
  ['another encoding, of octets that are ASCII', 'asciiAsDeclared', '<?xml version="1.0" encoding="ISO-8859-1"?><r>text</r>'],
])('%s is read only where that is said', (_, option, xml) => {
  expect(() => textIn(xml)).toThrow(MalformedError)
  expect(textIn(xml, { [option]: true })).toBe('text')
})

test.each([
  ['a document type', '<!DOCTYPE r [<!ENTITY e "x">]><r>&e;</r>'],
  ['an instruction without end', '<r>text</r><?x '],
  ['an instruction without name', '<r>te<? x?>xt</r>'],
  ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><r>text</r>'],
  ['a declaration inside', '<r>te<?XML version="1.0"?>xt</r>'],
  ['an encoding that is not that of its octets', '<?xml version="1.0" encoding="ISO-8859-1"?><r>é</r>'],
  ['an encoding in which the octets mean something else', '<?xml version="1.0" encoding="UTF-16"?><r>text</r>'],
  ['a prefix without namespace', '<p:r>text</p:r>'],
])('%s is refused in any case', (_, xml) => {
  expect(() => textIn(xml, { instructions: true, asciiAsDeclared: true })).toThrow(MalformedError)
})
