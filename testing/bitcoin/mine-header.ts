import { meetsTarget, readBlockHeader } from '../../modules/verification/domain/bitcoin/block-header.ts'

/** Target that every second hash meets: regtest's, which no block of the main chain has. */
export const easyBits = 0x207fffff

/**
 * 80 octets of a header over `merkleRoot` (32 octets, in the header's order) that meets the target of `bits`; with `worthless` one
 * that does not.
 * @param at seconds since 1970
 */
export function mineHeader(
  merkleRoot: Uint8Array,
  { at = 1_700_000_000, bits = easyBits, worthless = false }: { at?: number; bits?: number; worthless?: boolean } = {},
): Buffer {
  const header = Buffer.alloc(80)
  header.writeUInt32LE(4, 0)
  Buffer.from(merkleRoot).copy(header, 36)
  header.writeUInt32LE(at, 68)
  header.writeUInt32LE(bits, 72)
  for (let nonce = 0; ; nonce += 1) {
    header.writeUInt32LE(nonce, 76)
    if (meetsTarget(readBlockHeader(header)) !== worthless) return header
  }
}
