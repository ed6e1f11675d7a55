import type { Regtest } from './start-regtest.ts'

type Coin = { readonly txid: string; readonly vout: number; readonly amount: number }

/** Sends `data` in an OP_RETURN output from the node's wallet. @returns the transaction, with its witness, and its id as it is written */
export async function payData(regtest: Regtest, data: Uint8Array): Promise<{ txid: string; raw: Buffer }> {
  const coins = (await regtest.call('listunspent', 1)) as readonly Coin[]
  const coin = coins.toSorted((a, b) => b.amount - a.amount)[0]
  if (coin === undefined) throw new Error('no coin')
  const change = String(await regtest.call('getrawchangeaddress'))
  const unsigned = await regtest.call('createrawtransaction', [{ txid: coin.txid, vout: coin.vout }], {
    data: Buffer.from(data).toString('hex'),
    [change]: Number((coin.amount - 0.0001).toFixed(8)),
  })
  const { hex } = (await regtest.call('signrawtransactionwithwallet', unsigned)) as { hex: string }
  const txid = String(await regtest.call('sendrawtransaction', hex))
  return { txid, raw: Buffer.from(hex, 'hex') }
}
