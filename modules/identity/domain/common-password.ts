/**
 * What people do to a common password so that it has a capital, a digit and a special character: written back. OWASP ASVS 5.0
 * 6.2.4 and 6.2.11, NIST SP 800-63B §3.1.1.2.
 */

/** Characters that stand for a letter they look like. */
const looks: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
/** Keys of digits, with the shift key held. */
const shifted: Readonly<Record<string, string>> = {
  '!': '1',
  '@': '2',
  '#': '3',
  $: '4',
  '%': '5',
  '^': '6',
  '&': '7',
  '*': '8',
  '(': '9',
  ')': '0',
}
const written = (text: string, instead: Readonly<Record<string, string>>) =>
  Array.from(text, (character) => instead[character] ?? character).join('')

/** More than that around a word is a password by itself. */
const mostAround = 6
/** Shorter ones are in nearly everything. */
const shortestWord = 4

/** Every word that a password may have been made of. */
function wordsOf(password: string): ReadonlySet<string> {
  const folded = password.normalize('NFKC').toLowerCase()
  const words = new Set([folded])
  const before = Math.min(/^[^\p{L}]*/u.exec(folded)?.[0].length ?? 0, mostAround)
  const after = Math.min(/[^\p{L}]*$/u.exec(folded)?.[0].length ?? 0, mostAround)
  for (let start = 0; start <= before; start += 1)
    for (let end = 0; end <= after && start + end <= mostAround; end += 1) words.add(folded.slice(start, folded.length - end))
  words.add(folded.replaceAll(/[^\p{L}\p{N}]+/gu, ''))
  const all = new Set(words)
  for (const word of words) {
    all.add(written(word, looks))
    all.add(written(word, shifted))
  }
  return all
}

/**
 * Whether a password is among those that are tried first: a common one, or a word about its owner, as it is or dressed up.
 * @param common in small letters
 * @param about names, addresses: whatever a stranger knows of the owner
 */
export function isCommonPassword(password: string, common: ReadonlySet<string>, about: readonly string[]): boolean {
  const known = new Set(
    about.flatMap((text) => {
      const folded = text.normalize('NFKC').toLowerCase()
      return [folded, folded.replace(/@.*$/, ''), ...folded.split(/[^\p{L}\p{N}]+/u)]
    }),
  )
  for (const word of wordsOf(password)) if (word.length >= shortestWord && (common.has(word) || known.has(word))) return true
  return false
}
