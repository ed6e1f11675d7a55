import { call } from '../../../../ui/api/call.ts'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { readBitcoinHeader } from '../../contract/endpoints.ts'

/** Asks this platform for block headers; each is shown before it is used. A header that it has not is left out. */
export async function askForHeaders(heights: readonly number[]): Promise<string[]> {
  const lines: string[] = []
  for (const height of heights.slice(0, 12)) {
    try {
      const { headers } = await call(readBitcoinHeader, { params: { height: String(height) } })
      lines.push(...headers.map(({ header }) => `${height}: ${header}`))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error
    }
  }
  return lines
}
