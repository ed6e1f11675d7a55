import { expect, test } from 'vitest'
import { csvRecord } from './csv.ts'

test('a record is what RFC 4180 has, and nothing in it is a formula', () => {
  expect(csvRecord([7, 'plain', 'a "quoted", one', 'two\nlines', ''])).toBe('7,"plain","a ""quoted"", one","two\nlines",""\r\n')
  for (const hostile of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =cmd|x', '＝1+1', '＠x', '\u00A0=1'])
    expect(csvRecord([hostile])).toBe(`"'${hostile}"\r\n`)
  for (const harmless of ['a=b', 'Zoë-Anne', "d'Artagnan"]) expect(csvRecord([harmless])).toBe(`"${harmless}"\r\n`)
})
