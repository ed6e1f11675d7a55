import * as fc from '../../../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { createHpackDecoder } from './decode-hpack.ts'
import type { HpackDecoder } from './decode-hpack.ts'
import { share } from '../../../../../testing/sweep.ts'

const decode = (decoder: HpackDecoder, text: string): string[] | null =>
  decoder.decode(Buffer.from(text.replace(/\s/g, ''), 'hex'))?.map(({ name, value }) => `${name}: ${value}`) ?? null

describe('HPACK', () => {
  it('decodes the requests of RFC 7541 C.4', () => {
    const decoder = createHpackDecoder()
    const first = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com']
    expect(decode(decoder, '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff')).toEqual(first)
    expect(decode(decoder, '8286 84be 5886 a8eb 1064 9cbf')).toEqual([...first, 'cache-control: no-cache'])
    expect(decode(decoder, '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf')).toEqual([
      ':method: GET',
      ':scheme: https',
      ':path: /index.html',
      ':authority: www.example.com',
      'custom-key: custom-value',
    ])
  })

  it('decodes the responses of RFC 7541 C.6, with eviction at 256 bytes', () => {
    const decoder = createHpackDecoder()
    expect(decode(decoder, '3fe101')).toEqual([])
    const rest = ['cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com']
    expect(
      decode(
        decoder,
        '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
      ),
    ).toEqual([':status: 302', ...rest])
    expect(decode(decoder, '4883 640e ffc1 c0bf')).toEqual([':status: 307', ...rest])
    expect(
      decode(
        decoder,
        `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af
         2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
      ),
    ).toEqual([
      ':status: 200',
      'cache-control: private',
      'date: Mon, 21 Oct 2013 20:13:22 GMT',
      'location: https://www.example.com',
      'content-encoding: gzip',
      'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
    ])
  })

  it('refuses what RFC 7541 calls an error', () => {
    expect(decode(createHpackDecoder(), '80')).toBeNull()
    expect(decode(createHpackDecoder(), 'ff80808080808001')).toBeNull()
    expect(decode(createHpackDecoder(), 'be')).toBeNull()
    expect(decode(createHpackDecoder(), '3fe17f')).toBeNull()
    // End-of-string symbol inside, and padding of zeros (§5.2).
    expect(decode(createHpackDecoder(), '0084ffffffff00')).toBeNull()
    expect(decode(createHpackDecoder(), '00811800')).toBeNull()
  })

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 4 }), (blocks) => {
        const decoder = createHpackDecoder()
        for (const block of blocks) {
          const fields = decoder.decode(Buffer.from(block))
          expect(fields === null || Array.isArray(fields)).toBe(true)
        }
      }),
      { numRuns: share(2000) },
    )
  })
})
