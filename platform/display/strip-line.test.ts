import { expect, test } from 'vitest'
import { stripLine } from './strip-line.ts'

test('C-32: whose page it is stands in the strip, however long its name is', () => {
  const name = `www.bank.example.${'a'.repeat(60)}.${'b'.repeat(60)}.intruder.example`
  const line = stripLine(`https://${name}/login?next=${'x'.repeat(200)}`)
  expect(line).toMatch(/^https:\/\/…a+\.b+\.intruder\.example\/login\?next=x+…$/)
  expect(Array.from(line)).toHaveLength(140)
  expect(line).not.toContain('bank')
  expect(stripLine(`http://${name}`)).toMatch(/\.intruder\.example$/)
  const fits = `https://${'c'.repeat(63)}.${'d'.repeat(28)}.example/`
  expect(stripLine(fits)).toBe(fits)
  expect(stripLine('not an address: https://x.test/')).toBe('not an address: https://x.test/')
})
