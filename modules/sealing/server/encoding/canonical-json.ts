import canonicalize from 'canonicalize'
import { utf8 } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'

/** @throws DomainError `sealing.text_not_unicode`: RFC 8785 §3.2.2.2 has no form for lone surrogates. */
export function canonicalJson(value: object): Uint8Array<ArrayBuffer> {
  try {
    const text = canonicalize(value)
    if (text !== undefined) return utf8(text)
  } catch (error) {
    throw new DomainError('invalid', 'sealing.text_not_unicode', {}, { cause: error })
  }
  throw new TypeError('not a JSON value')
}
