import { expect, test } from 'vitest'
import { startRegtest } from './start-regtest.ts'

type Coin = { txid: string; vout: number; amount: number }

test('a node in regtest takes a transaction, mines it, and loses it on a shorter branch', async () => {
  const regtest = await startRegtest()
  try {
    const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
      const response = await fetch(regtest.url, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(regtest.credentials).toString('base64')}` },
        body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
      })
      const { result, error } = (await response.json()) as { result: unknown; error: unknown }
      expect(error).toBeNull()
      return result
    }
    const [coin] = (await ask('listunspent', 1)) as Coin[]
    if (coin === undefined) throw new Error('no coin')
    const change = String(await ask('getrawchangeaddress'))
    const raw = await ask('createrawtransaction', [{ txid: coin.txid, vout: coin.vout }], {
      data: 'ab'.repeat(32),
      [change]: Number((coin.amount - 0.0001).toFixed(8)),
    })
    const signed = (await ask('signrawtransactionwithwallet', raw)) as { hex: string; complete: boolean }
    expect(signed.complete).toBe(true)
    const txid = await ask('sendrawtransaction', signed.hex)
    expect(await ask('sendrawtransaction', signed.hex)).toBe(txid)
    expect(await ask('gettransaction', txid)).toMatchObject({ confirmations: 0 })

    const before = regtest.height()
    const hash = await regtest.mine()
    expect(await ask('gettransaction', txid)).toMatchObject({ confirmations: 1, blockhash: hash, blockheight: before + 1 })
    expect(await ask('getblock', hash, 1)).toMatchObject({ tx: [expect.any(String), txid] })
    expect(await ask('getblockheader', hash, false)).toBe((await regtest.header(before + 1)).toString('hex'))

    await regtest.mineFrom(before, 2)
    expect(regtest.height()).toBe(before + 2)
    expect(await ask('getblockheader', hash)).toMatchObject({ confirmations: -1 })
    expect(await ask('gettransaction', txid)).toMatchObject({ confirmations: 0 })
    // bcoin does not put it back among those that wait: whoever wants it mined sends it again.
    expect(await ask('sendrawtransaction', signed.hex)).toBe(txid)
    expect(regtest.waiting()).toBeGreaterThan(0)
    await regtest.mine()
    expect(await ask('gettransaction', txid)).toMatchObject({ confirmations: 1, blockheight: before + 3 })
  } finally {
    await regtest.close()
  }
})
