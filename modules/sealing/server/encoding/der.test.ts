import * as asn1js from 'asn1js'
import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { toHex } from '../../../../kernel/bytes.ts'
import {
  children,
  DerError,
  generalizedTimeOf,
  integerHexOf,
  objectIdentifierOf,
  octetsOf,
  readDer,
  smallIntegerOf,
} from './read-der.ts'
import { generalizedTime, integer, namedBits, objectIdentifier, octetString, sequence, setOf, time } from './write-der.ts'
import { share } from '../../../../testing/sweep.ts'

const ascii = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('known encodings of X.690', () => {
  expect(toHex(integer(0))).toBe('020100')
  expect(toHex(integer(127))).toBe('02017f')
  expect(toHex(integer(128))).toBe('02020080')
  expect(toHex(integer(Uint8Array.of(0, 0, 0x80)))).toBe('02020080')
  expect(toHex(objectIdentifier('2.999.3'))).toBe('0603883703') // X.690 §8.19.5
  expect(toHex(namedBits([0, 1]))).toBe('030206c0')
  expect(toHex(namedBits([5, 6]))).toBe('03020106')
  expect(toHex(namedBits([25]))).toBe('03050600000040')
  expect(toHex(octetString(new Uint8Array(200)).subarray(0, 3))).toBe('0481c8')
  expect(toHex(octetString(new Uint8Array(256)).subarray(0, 4))).toBe('04820100')
})

test('SET OF is in the order of its encodings, whatever the order given', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (octets) => {
      const parts = octets.map(octetString)
      const written = children(readDer(setOf(parts), 0x31)).map((each) => toHex(each.encoded))
      expect(written).toEqual(parts.map(toHex).toSorted())
    }),
  )
})

test('times: fraction without trailing zeros, UTCTime through 2049', () => {
  expect(ascii(generalizedTime(new Date('2026-11-21T10:00:00.120Z'), 'milliseconds').subarray(2))).toBe('20261121100000.12Z')
  expect(ascii(generalizedTime(new Date('2026-11-21T10:00:00.000Z'), 'milliseconds').subarray(2))).toBe('20261121100000Z')
  expect(ascii(time(new Date('2049-12-31T23:59:59Z')).subarray(2))).toBe('491231235959Z')
  expect(ascii(time(new Date('2050-01-01T00:00:00Z')).subarray(2))).toBe('20500101000000Z')
})

test('what is written is read back, and asn1js agrees', () => {
  const arc = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
  const millis = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })
  fc.assert(
    fc.property(
      fc.array(arc, { minLength: 1, maxLength: 5 }),
      fc.bigInt({ min: 0n, max: 1n << 200n }),
      millis,
      (arcs, big, at) => {
        const dotted = ['2', ...arcs.map(String)].join('.')
        expect(objectIdentifierOf(readDer(objectIdentifier(dotted)))).toBe(dotted)
        const hex = big.toString(16)
        const encoded = integer(Uint8Array.from(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')))
        expect(integerHexOf(readDer(encoded))).toBe(hex)
        expect(asn1js.fromBER(encoded).offset).toBe(encoded.length)
        expect(generalizedTimeOf(readDer(generalizedTime(new Date(at), 'milliseconds'))).getTime()).toBe(at)
      },
    ),
  )
})

test('octets that are not DER are refused with DerError and nothing else', () => {
  const walk = (bytes: Uint8Array): unknown => {
    const root = readDer(bytes)
    const seen = [root]
    if ((root.tag & 0x20) !== 0) seen.push(...children(root))
    return seen.map((each) =>
      [octetsOf, integerHexOf, objectIdentifierOf, generalizedTimeOf, smallIntegerOf].map((read) => read(each)),
    )
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(() => {
        try {
          walk(bytes)
        } catch (error) {
          if (!(error instanceof DerError)) throw error
        }
      }).not.toThrow()
    }),
    { numRuns: share(5000) },
  )
  for (const hex of [
    '',
    '30',
    '3080',
    '308000',
    '30810100',
    '3082000100',
    '30847fffffff',
    '1f0100',
    '020200ff00',
    '0202007f',
    '0201ff',
    '0600',
    '060180',
    '06028001',
  ]) {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'))
    const read = hex.startsWith('06')
      ? () => objectIdentifierOf(readDer(bytes))
      : hex.startsWith('02')
        ? () => integerHexOf(readDer(bytes))
        : () => readDer(bytes, 0x30)
    expect(read, hex).toThrow(DerError)
  }
})

test('nesting costs no stack', () => {
  let nested: Uint8Array = sequence()
  for (let depth = 0; depth < 2000; depth += 1) nested = sequence(nested)
  expect(children(readDer(nested, 0x30))).toHaveLength(1)
  const bomb = Uint8Array.from(Buffer.from('3080'.repeat(100_000), 'hex'))
  expect(() => readDer(bomb)).toThrow(DerError)
})
