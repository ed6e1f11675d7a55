import { once } from 'node:events'
import { createServer } from 'node:http'

type Said =
  | { readonly valid: boolean }
  | { readonly error: string }
  | { readonly raw: string; readonly status: number }
  | 'silence'

/**
 * A register of VAT numbers on this machine that speaks the REST protocol of the European Commission’s: one call, `POST /check-vat-number`,
 * answered with the number, whether it is valid, and a number of the consultation when whoever asks says who he is; errors come as
 * `errorWrappers`. What it says of a number is set by the test; of others it says that they are not valid.
 */
export async function startVies(): Promise<{
  readonly url: string
  readonly asked: readonly Readonly<Record<string, unknown>>[]
  says(number: string, said: Said): void
  close(): Promise<void>
}> {
  const known = new Map<string, Said>()
  const asked: Readonly<Record<string, unknown>>[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const answer = (status: number, body: unknown) => {
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body))
      }
      const failed = (error: string) => answer(200, { actionSucceed: false, errorWrappers: [{ error }] })
      if (request.method !== 'POST' || request.url !== '/check-vat-number') return answer(404, '<html>')
      if (request.headers['content-type'] !== 'application/json') return answer(415, '')
      const body = JSON.parse(Buffer.concat(parts).toString()) as Readonly<Record<string, string>>
      asked.push(body)
      const { countryCode = '', vatNumber = '', requesterMemberStateCode = '', requesterNumber = '' } = body
      if (!/^[A-Z]{2}$/.test(countryCode) || vatNumber === '') return failed('INVALID_INPUT')
      const said = known.get(`${countryCode}${vatNumber}`) ?? { valid: false }
      if (said === 'silence') return undefined
      if ('error' in said) return failed(said.error)
      if ('raw' in said) return answer(said.status, said.raw)
      const isNamed = requesterMemberStateCode !== '' && requesterNumber !== ''
      return answer(200, {
        countryCode,
        vatNumber,
        requestDate: '2026-11-23T09:00:00.000Z',
        valid: said.valid,
        requestIdentifier: isNamed && said.valid ? `WAPIAAAAZ${String(asked.length).padStart(7, '0')}` : '',
        name: said.valid ? 'Beispiel GmbH' : '---',
        address: said.valid ? 'Hauptstraße 1\n10115 Berlin' : '---',
        traderName: '---',
        traderStreet: '---',
        traderPostalCode: '---',
        traderCity: '---',
        traderCompanyType: '---',
        traderNameMatch: 'NOT_PROCESSED',
        traderStreetMatch: 'NOT_PROCESSED',
        traderPostalCodeMatch: 'NOT_PROCESSED',
        traderCityMatch: 'NOT_PROCESSED',
        traderCompanyTypeMatch: 'NOT_PROCESSED',
      })
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${String(port)}`,
    asked,
    says: (number, said) => void known.set(number, said),
    async close() {
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
