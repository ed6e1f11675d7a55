import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { authority, certificate, day, keyOf } from '../../../../testing/proof-vectors/issue.ts'
import { readCms } from '../cms/read-cms.ts'
import { readTrust } from './read-trust.ts'
import { anyTimeOf, MalformedError, timeOf } from '../encoding/der.ts'
import { buildChain, readCertificate, readPem } from './x509.ts'

const folder = new URL('../../../../testing/proof-vectors/cms/', import.meta.url)
const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, folder)))

test('a root of version 1 and a certificate with a negative number are read for others, and refused in our own packages', async () => {
  const pem = await read('old-root.pem')
  expect(() => readPem(pem)).toThrow(MalformedError)
  const [root] = readTrust(pem)
  expect(root).toMatchObject({ name: 'Autorité ancienne', isAuthority: true, keyUsage: undefined })
  const [person] = readCms(await read('old-certificates.p7s')).certificates
  expect(person).toMatchObject({ name: 'Ωmega', serial: '9f0102' })
  expect(() => readCertificate(person?.encoded ?? new Uint8Array())).toThrow(MalformedError)
})

const time = (tag: number, text: string) => {
  const contents = new TextEncoder().encode(text)
  return { tag, contents, encoded: contents }
}

test.each([
  [0x17, '9901010000Z', '1999-01-01T00:00:00.000Z'],
  [0x17, '490101000000Z', '2049-01-01T00:00:00.000Z'],
  [0x17, '500101000000Z', '1950-01-01T00:00:00.000Z'],
  [0x17, '990101020000+0200', '1999-01-01T00:00:00.000Z'],
  [0x18, '20260601100000.5000Z', '2026-06-01T10:00:00.500Z'],
  [0x18, '20260601043000-0530', '2026-06-01T10:00:00.000Z'],
])('time %i %s of others is %s', (tag, text, iso) => {
  expect(anyTimeOf(time(tag, text)).toISOString()).toBe(iso)
})

test.each([
  [0x17, '990230000000Z'],
  [0x18, '20260601100000'],
  [0x18, '20261301100000Z'],
  [0x18, '2026-06-01'],
  [0x04, '990101000000Z'],
])('%i %s is no time to anybody', (tag, text) => {
  expect(() => anyTimeOf(time(tag, text))).toThrow(MalformedError)
  expect(() => timeOf(time(tag, text))).toThrow(MalformedError)
})

test('what is dropped as roots: PEM with text around, DER, and nothing of what is not a certificate', async () => {
  const [root] = readPem(await read('root.pem'))
  const pem = await readFile(new URL('root.pem', folder), 'utf8')
  const around = new TextEncoder().encode(`Authority\n${pem}\nsubject=CN\n${pem.replaceAll('CERTIFICATE', 'PRIVATE KEY')}`)
  expect(readTrust(around).map(({ sha256 }) => sha256)).toEqual([root?.sha256])
  expect(readTrust(root?.encoded).map(({ sha256 }) => sha256)).toEqual([root?.sha256])
  expect(readTrust(new TextEncoder().encode('nothing'))).toEqual([])
  expect(readTrust(Uint8Array.of(0x30, 0))).toEqual([])
  expect(readTrust(undefined)).toEqual([])
})

test('a damaged copy of an issuer does not stand in the way of a sound one; many of them are not tried without end', () => {
  const root = authority('Root', keyOf(1), 1)
  const middle = authority('Middle', keyOf(2), 2, {}, root)
  const person = certificate({ name: 'Person', serial: 3, key: keyOf(3) }, middle)
  const [leaf, sound, top] = [person, middle, root].map(({ der }) => readCertificate(der))
  if (leaf === undefined || sound === undefined || top === undefined) throw new Error('not read')
  // Its last octets are its issuer's signature: the key in it is still the one that issued the leaf.
  const damaged = (times: number) =>
    Array.from({ length: times }, (_, i) => readCertificate(middle.der.with(-1 - i, (middle.der.at(-1 - i) ?? 0) ^ 1)))
  const at = day('2026-06-01')
  expect(buildChain(leaf, [...damaged(1), sound, top], at)).toMatchObject({ issuers: [sound, top], root: top })
  expect(buildChain(leaf, [...damaged(8), sound, top], at)).toMatchObject({ root: top })
  expect(buildChain(leaf, [...damaged(1), top], at)).toBe('chain')
  expect(buildChain(leaf, [...damaged(9), sound, top], at)).toBe('chain')
  expect(buildChain(leaf, [sound, top], day('2041-01-01'))).toBe('expired')
})
