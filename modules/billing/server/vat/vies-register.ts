/** The register of the European Commission (VIES), by its REST interface. */
import { z } from 'zod'
import type { VatNumber } from '../../domain/vat/vat-number.ts'
import type { RegisterAnswer, VatRegister } from './register.ts'

const told = z
  .object({
    countryCode: z.string(),
    vatNumber: z.string(),
    requestDate: z.string(),
    valid: z.boolean(),
    requestIdentifier: z.string().max(100).nullish(),
    name: z.string().max(1_000).nullish(),
    address: z.string().max(2_000).nullish(),
  })
  .readonly()
/** Whatever the status says: the member state is away, too many ask, or we asked wrongly. */
const refused = z.object({ errorWrappers: z.array(z.object({ error: z.string().max(60) })).min(1) })

const defaultTimeoutMs = 10_000
const largestBytes = 64 * 1024

export type ViesDeps = {
  /** Without trailing slash. */
  readonly url: string
  /** The seller's own number: with it the register gives a number of the consultation, which is the proof of having asked. */
  readonly requester: string
  readonly timeoutMs?: number
}

export function viesRegister({ url, requester, timeoutMs = defaultTimeoutMs }: ViesDeps): VatRegister {
  return {
    ask: async ({ state, rest }) => {
      try {
        const response = await fetch(`${url}/check-vat-number`, {
          method: 'POST',
          redirect: 'error',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify({
            countryCode: state,
            vatNumber: rest,
            requesterMemberStateCode: requester.slice(0, 2),
            requesterNumber: requester.slice(2),
          }),
          signal: AbortSignal.timeout(timeoutMs),
        })
        return read({ state, rest }, response.status, await textOf(response))
      } catch (error) {
        return { state: 'unreachable', reason: error instanceof Error ? error.name : 'failed' }
      }
    },
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > largestBytes) throw new RangeError('the register says too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function read({ state, rest }: Pick<VatNumber, 'state' | 'rest'>, status: number, text: string): RegisterAnswer {
  const unreachable = (reason: string): RegisterAnswer => ({ state: 'unreachable', reason })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return unreachable(`HTTP ${String(status)}`)
  }
  const failed = refused.safeParse(json)
  if (failed.success) return unreachable(failed.data.errorWrappers[0]?.error ?? 'failed')
  const { success, data } = told.safeParse(json)
  if (status !== 200 || !success) return unreachable(`HTTP ${String(status)}`)
  // An answer about another number is none.
  if (data.countryCode !== state || data.vatNumber !== rest) return unreachable('another number')
  const { requestIdentifier } = data
  const consultation = requestIdentifier == null || requestIdentifier === '' ? null : requestIdentifier
  return { state: data.valid ? 'valid' : 'invalid', consultation, answer: data }
}
