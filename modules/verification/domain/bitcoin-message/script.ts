/** The two shapes of script that a verifier without an interpreter can answer for. */

/** Items that a script pushes, minimally encoded (BIP-62 rule 3); undefined when it does anything else. */
export function readPushes(script: Uint8Array): Uint8Array[] | undefined {
  const items: Uint8Array[] = []
  for (let at = 0; at < script.length;) {
    const code = script[at] ?? 0xff
    at += 1
    let length = code
    if (code === 0x4c || code === 0x4d) {
      const octets = code - 0x4b
      length = (script[at] ?? 0) + (octets === 2 ? (script[at + 1] ?? 0) * 256 : 0)
      at += octets
      if (length < (octets === 1 ? 0x4c : 0x100)) return undefined
    } else if (code > 0x4b) return undefined
    if (at + length > script.length) return undefined
    items.push(script.subarray(at, at + length))
    at += length
  }
  return items
}

export type Multisig = { readonly needed: number; readonly keys: readonly Uint8Array[]; readonly single: boolean }

/** `<key> CHECKSIG` or `m <key>… n CHECKMULTISIG`. */
export function readMultisig(script: Uint8Array): Multisig | undefined {
  const last = script.at(-1)
  if (last === 0xac) {
    const [key, ...more] = readPushes(script.subarray(0, -1)) ?? []
    return key === undefined || more.length > 0 ? undefined : { needed: 1, keys: [key], single: true }
  }
  const needed = (script[0] ?? 0) - 0x50
  const count = (script.at(-2) ?? 0) - 0x50
  if (last !== 0xae || needed < 1 || count < needed || count > 16) return undefined
  const keys = readPushes(script.subarray(1, -2))
  return keys?.length === count ? { needed, keys, single: false } : undefined
}
