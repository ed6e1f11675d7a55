/** A request and what becomes of it: whoever writes last says how it stands. */
export const requestStatuses = ['open', 'answered', 'closed'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export type Author = 'sender' | 'staff'

/** What is said moves it; a question is open again, however long it was closed. */
export function statusAfter(author: Author, closing: boolean): RequestStatus {
  if (author === 'sender') return 'open'
  return closing ? 'closed' : 'answered'
}

export const longestName = 200
export const longestTitle = 200
export const longestText = 10_000
export const mostAttachments = 5
export const largestAttachmentBytes = 10 * 1024 * 1024

/** Base 32 of RFC 4648 §6: no two of its characters are mistaken for each other when they are read out. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @param random eight bytes */
export function referenceOf(random: Uint8Array): string {
  return Array.from(random.subarray(0, 8), (byte) => letters[byte & 31]).join('')
}

/** How long a file that was announced with a message may take to come. */
export const attachmentHours = 2

/** Lines as people write them; what deceives readers is refused: controls, bidirectional and invisible marks. */
export function textFault(text: string): 'characters' | null {
  return /[\p{Cc}\p{Co}\p{Cn}\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/u.test(text.replaceAll(/[\n\t]/g, ''))
    ? 'characters'
    : null
}

/** One line. */
export function lineFault(text: string): 'characters' | null {
  return /[\n\t]/.test(text) ? 'characters' : textFault(text)
}
