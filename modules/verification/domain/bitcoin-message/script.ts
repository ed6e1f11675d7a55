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
