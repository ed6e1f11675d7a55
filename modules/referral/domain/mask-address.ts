/** E-42: enough to recognise somebody by, and too little to write to him: `a•••@e•••.org`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 1) return '•••'
  const domain = address.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const first = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0x2022)
  return `${first(address.slice(0, at))}•••@${first(domain)}•••${dot < 1 ? '' : domain.slice(dot)}`
}
