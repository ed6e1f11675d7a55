import { createRequire } from 'node:module'

/** What of bcoin 1.0.2 is used here; it has no types of its own. Hashes inside it are in the order of the hash function. */
export type Bcoin = {
  readonly FullNode: new (options: object) => FullNode
  readonly Plugin: object
  readonly Mtx: { fromRaw(raw: Buffer): Mtx }
  readonly Tx: { fromRaw(raw: Buffer): Tx }
  readonly Coin: { fromTX(tx: Tx, index: number, height: number): unknown }
}
export type Rpc = { execute(call: { method: string; params: readonly unknown[] }, help?: boolean): Promise<unknown> }
export type ChainEntry = { readonly hash: Buffer | string; readonly height: number; toRaw(): Buffer; rhash(): string }
export type Tx = { txid(): string; toRaw(): Buffer; toNormal(): Buffer; readonly outputs: readonly unknown[] }
export type Mtx = Tx & { isSigned(): boolean; readonly view: unknown }
export type Block = { rhash(): string; readonly txs: readonly Tx[] }
export type Wallet = {
  sign(tx: Mtx): Promise<number>
  receiveAddress(): Promise<unknown>
  getCoins(): Promise<readonly unknown[]>
  getBalance(): Promise<{ readonly confirmed: number }>
}
export type WalletDb = {
  readonly primary: Wallet
  readonly state: { readonly height: number }
  open(): Promise<void>
  close(): Promise<void>
  addTX(tx: Tx): Promise<unknown>
}
export type FullNode = {
  readonly chain: {
    readonly tip: ChainEntry
    readonly height: number
    open(): Promise<void>
    close(): Promise<void>
    add(block: Block): Promise<ChainEntry | null>
    getBlock(hash: unknown): Promise<Block | null>
    getEntry(hashOrHeight: unknown): Promise<ChainEntry | null>
  }
  readonly mempool: {
    open(): Promise<void>
    close(): Promise<void>
    has(hash: unknown): boolean
    /** `null` when it was taken; the missing parents otherwise. @throws when it is refused. */
    addTX(tx: Tx): Promise<unknown>
    getTX(hash: unknown): Tx | null
    getSize(): number
  }
  readonly miner: {
    open(): Promise<void>
    close(): Promise<void>
    readonly cpu: { mineBlock(tip: ChainEntry, address: unknown): Promise<Block> }
  }
  readonly rpc: Rpc
  require(name: 'walletdb'): { readonly rpc: Rpc; readonly wdb: WalletDb }
  handlePreopen(): Promise<void>
}

/** Loaded when it is first wanted: its cryptography reads NODE_BACKEND as it is loaded, and its native part is not built. */
export function loadBcoin(): Bcoin {
  process.env['NODE_BACKEND'] = 'js'
  const load = createRequire(import.meta.url)
  return {
    FullNode: load('bcoin/lib/node/fullnode') as Bcoin['FullNode'],
    Plugin: load('bcoin/lib/wallet/plugin') as object,
    Mtx: load('bcoin/lib/primitives/mtx') as Bcoin['Mtx'],
    Tx: load('bcoin/lib/primitives/tx') as Bcoin['Tx'],
    Coin: load('bcoin/lib/primitives/coin') as Bcoin['Coin'],
  }
}
