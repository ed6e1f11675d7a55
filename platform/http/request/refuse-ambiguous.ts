import { errorCodes, type FastifyRequest } from 'fastify'
import { DomainError } from '../../../kernel/errors.ts'

/**
 * Headers that decide who calls or how a request is read. Of two, one program takes the first and the next one the last, and
 * Node drops or joins them in silence (RFC 9110 §5.3): such a request is not read at all.
 */
const onceOnly = [
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'x-delegation',
  'x-evidence-token',
] as const

/** No file's name holds it (RFC 3986 §7.3); what a query holds is for its contract to say. */
const nul = /%00|\0/i
/** Whoever asks resolves them (RFC 3986 §5.2.4): one that arrives is meant to be resolved by somebody else than who let it pass. */
const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Refuses what two readers could understand differently, and bodies that grow when they are unpacked: nothing here takes compressed
 * ones (RFC 9110 §8.4).
 * @throws DomainError, or Fastify's error of unsupported media types
 */
export function refuseAmbiguous(request: FastifyRequest): void {
  const { rawHeaders, headers, url = '' } = request.raw
  const [path = ''] = url.split('?', 1)
  if (nul.test(path) || dotSegment.test(path)) throw new DomainError('invalid', 'http.invalid_request')
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (seen.has(name) && onceOnly.some((each) => each === name)) throw new DomainError('invalid', 'http.invalid_request')
    seen.add(name)
  }
  const coding = headers['content-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
    throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(`${coding.slice(0, 40)} content`)
}
