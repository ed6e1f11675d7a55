import { describe, expect, it } from 'vitest'
import { createTls13Opener, expandLabel, prf } from './open-tls-record.ts'
import { cipherSuiteOf } from './tls-cipher-suites.ts'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')

describe('key schedule and record protection', () => {
  it('derives the keys of RFC 8448 §3', () => {
    const secret = hex('b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38')
    expect(expandLabel('sha256', secret, 'key', 16).toString('hex')).toBe('3fce516009c21727d0f2e4e86ee403bc')
    expect(expandLabel('sha256', secret, 'iv', 12).toString('hex')).toBe('5d313eb2671276ee13000b30')
  })

  it('opens the application data record of RFC 8448 §3, and refuses it with a bit flipped', () => {
    const suite = cipherSuiteOf(0x1301)
    if (suite === undefined) throw new Error('suite')
    const secret = hex('9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5')
    const fragment = hex(`a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20441e2b62974e1f5a
      6292a2977014bd1e3deae63aeebb21694915e4`)
    const opened = createTls13Opener(suite, secret).open(23, fragment)
    expect(opened?.type).toBe(23)
    expect(opened?.bytes.toString('hex')).toBe(Array.from({ length: 50 }, (_, i) => i.toString(16).padStart(2, '0')).join(''))
    fragment[7] = (fragment[7] ?? 0) ^ 1
    expect(createTls13Opener(suite, secret).open(23, fragment)).toBeNull()
  })

  it('computes the TLS 1.2 PRF with SHA-256 as the published vector has it', () => {
    const out = prf('sha256', hex('9bbe436ba940f017b17652849a71db35'), 'test label', hex('a0ba9f936cda311827a6f796ffd5198c'), 100)
    expect(out.toString('hex')).toBe(
      'e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66',
    )
  })
})
