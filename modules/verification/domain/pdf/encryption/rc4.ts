/** The stream cipher of ISO 32000-2 §7.6.3.1. Old files are read with it; nothing here writes it. */
export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (a: number, b: number): void => {
    const kept = state[a] as number
    state[a] = state[b] as number
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255
    swap(i, j)
  }
  const out = new Uint8Array(bytes.length)
  for (let at = 0, i = 0, j = 0; at < bytes.length; at += 1) {
    i = (i + 1) & 255
    j = (j + (state[i] as number)) & 255
    swap(i, j)
    out[at] = (bytes[at] as number) ^ (state[((state[i] as number) + (state[j] as number)) & 255] as number)
  }
  return out
}
