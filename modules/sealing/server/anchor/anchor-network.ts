import { plausibilityOf, readBlockHeader, type BitcoinNetwork } from '../../../verification/server/index.ts'

/** `test`: coins are free there and anybody makes blocks, so that an anchor shows its mechanism and proves nothing to outsiders. */
export type AnchorNetwork = 'main' | 'test'

/**
 * By the block itself where there is one, whatever the settings say by now: a header without the work of the main chain is none of it.
 * @param configured PROBANT_BITCOIN_NETWORK, for an anchor that waits for its block
 */
export function anchorNetwork(
  block: { readonly height: number; readonly header: Uint8Array } | null,
  configured: BitcoinNetwork = 'main',
): AnchorNetwork {
  if (configured !== 'main') return 'test'
  return block !== null && plausibilityOf(block.height, readBlockHeader(block.header).bits, 'main') === 'implausible'
    ? 'test'
    : 'main'
}
