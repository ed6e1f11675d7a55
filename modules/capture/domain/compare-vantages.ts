import type { VantageFacts } from './outcome/outcome.ts'

/** What one capture server saw, as far as it is compared. Null: it has no such thing, or it could not be read. */
export type SeenFromVantage = {
  readonly finalUrl: string
  readonly httpStatus: number | null
  /** SHA-256 of the document's bytes after decoding, hexadecimal. */
  readonly documentSha256: string | null
  /** Words of the document's text in order: markup, scripts and styles left out. */
  readonly words: readonly string[] | null
  /** SHA-256 of the certificate that the document's server showed; `none` over plain HTTP. */
  readonly certificateSha256: string | null
  readonly serverAddress: string | null
  /** Addresses of the resources that were asked for. */
  readonly resources: readonly string[] | null
}

/** Of the images of the whole page, compared before: pixels that agree, of all pixels that either shows; sizes as text. */
export type ImagesCompared = { readonly share: number; readonly first: string; readonly second: string }

type Comparison = VantageFacts['comparisons'][number]
type Item = Comparison['item']

/** Long enough for anybody to see what differs; the pieces hold the rest. */
const longestText = 500

/**
 * Item by item, what two servers saw of one address. Only what both measured is compared; the rest says so. Pure.
 * Shares are 0–1: of words, those in common (counted as often as both have them) over the longer text; of resources, the
 * Jaccard index of the two sets; of images, pixels that agree.
 */
export function compareVantages(
  first: SeenFromVantage,
  second: SeenFromVantage,
  images: ImagesCompared | null,
): VantageFacts['comparisons'] {
  const plain = (item: Item, one: string | number | null, other: string | number | null): Comparison => ({
    item,
    result: one === null || other === null ? 'not_compared' : one === other ? 'same' : 'different',
    first: one === null ? null : String(one).slice(0, longestText),
    second: other === null ? null : String(other).slice(0, longestText),
    share: null,
  })
  return [
    plain('final_url', first.finalUrl, second.finalUrl),
    plain('http_status', first.httpStatus, second.httpStatus),
    plain('certificate', first.certificateSha256, second.certificateSha256),
    plain('server_address', first.serverAddress, second.serverAddress),
    plain('document_body', first.documentSha256, second.documentSha256),
    shared('visible_text', first.words, second.words, sameInOrder, shareOfWords),
    images === null
      ? { item: 'image', result: 'not_compared', first: null, second: null, share: null }
      : { item: 'image', result: images.share === 1 ? 'same' : 'different', ...images },
    shared('resources', first.resources, second.resources, sameSet, jaccard),
  ]
}

function shared(
  item: Item,
  first: readonly string[] | null,
  second: readonly string[] | null,
  same: (first: readonly string[], second: readonly string[]) => boolean,
  shareOf: (first: readonly string[], second: readonly string[]) => number,
): Comparison {
  const sizes = { first: first === null ? null : String(first.length), second: second === null ? null : String(second.length) }
  if (first === null || second === null) return { item, result: 'not_compared', ...sizes, share: null }
  return same(first, second)
    ? { item, result: 'same', ...sizes, share: 1 }
    : { item, result: 'different', ...sizes, share: shareOf(first, second) }
}

function sameInOrder(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((word, place) => word === second[place])
}

function sameSet(first: readonly string[], second: readonly string[]): boolean {
  return jaccard(first, second) === 1
}

/** Words in common over the words of the longer text; the same words in another order share all of them. */
function shareOfWords(first: readonly string[], second: readonly string[]): number {
  const longer = Math.max(first.length, second.length)
  if (longer === 0) return 1
  const left = new Map<string, number>()
  for (const word of first) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of second) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common += 1
  }
  return common / longer
}

function jaccard(first: readonly string[], second: readonly string[]): number {
  const [one, other] = [new Set(first), new Set(second)]
  const union = new Set([...one, ...other]).size
  return union === 0 ? 1 : [...one].filter((each) => other.has(each)).length / union
}
