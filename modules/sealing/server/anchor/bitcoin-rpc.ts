/** JSON-RPC of Bitcoin Core, the calls that an anchor needs: those of 0.17 and later, whatever the wallet is made of. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { anchorFailure, exchange, hostOf } from '../connections/exchange.ts'

export type BitcoinRpcOptions = {
  /** Address of the node's RPC server, without credentials. */
  readonly url: string
  /** Address of the wallet's (`…/wallet/<name>`), when it is another. */
  readonly walletUrl: string
  /** Core's cookie, or any file that holds `user:password`. Read at each call: Core writes a new cookie at each start. */
  readonly credentialsFile: string
  readonly timeoutMs?: number
}

export type BitcoinRpc = {
  /** @throws DomainError `sealing.anchor_node…` */
  call<T>(method: string, params: readonly unknown[], answer: z.ZodType<T>): Promise<T>
}

/** `getblock` of a full block names some thousands of transactions. */
const maxAnswerBytes = 8 * 1024 * 1024
const walletMethods = new Set(['listunspent', 'getrawchangeaddress', 'signrawtransactionwithwallet', 'gettransaction'])
const envelope = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})

export function createBitcoinRpc({ url, walletUrl, credentialsFile, timeoutMs = 30_000 }: BitcoinRpcOptions): BitcoinRpc {
  let id = 0
  return {
    async call(method, params, answer) {
      id += 1
      const target = walletMethods.has(method) ? walletUrl : url
      const credentials = await readCredentials(credentialsFile)
      const { status, body } = await exchange(
        {
          url: target,
          method: 'POST',
          body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '1.0', id, method, params })),
          accept: 'application/json',
          maxBytes: maxAnswerBytes,
          headers: {
            authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
            'content-type': 'application/json',
          },
        },
        { allowAddresses: 'any', timeoutMs },
      )
      if (status === 401 || status === 403) throw anchorFailure('node_credentials', { host: hostOf(target) })
      const parsed = envelope.safeParse(jsonOf(body))
      if (!parsed.success) throw anchorFailure('node_answer', { host: hostOf(target), method, status })
      const { error, result } = parsed.data
      if (error != null)
        throw anchorFailure('node_refused', { method, code: error.code, message: printable(error.message).slice(0, 200) })
      const read = answer.safeParse(result)
      if (!read.success) throw anchorFailure('node_answer', { host: hostOf(target), method, status })
      return read.data
    },
  }
}

async function readCredentials(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw anchorFailure('node_credentials', { host: 'file' }, error)
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}
