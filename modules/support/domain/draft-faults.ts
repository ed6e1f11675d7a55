import { parseEmailAddress } from '../../../kernel/email-address.ts'
import {
  largestAttachmentBytes,
  lineFault,
  longestName,
  longestText,
  longestTitle,
  mostAttachments,
  textFault,
} from './request.ts'

export type Draft = { readonly name: string; readonly email: string; readonly title: string; readonly description: string }

function lineIn(typed: string, required: string, longest: number): string | null {
  const line = typed.trim()
  if (line === '') return required
  return line.length > longest ? 'too_long' : lineFault(line)
}

function textIn(typed: string): string | null {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim()
  if (text === '') return 'description_required'
  return text.length > longestText ? 'too_long' : textFault(text)
}

function emailIn(typed: string): string | null {
  const email = typed.trim()
  if (email === '') return 'email_required'
  return parseEmailAddress(email) === null ? 'email_invalid' : null
}

/** What the contract refuses a message for, by field, for a page that is there before the contract (V-40…V-43). */
export function faultsOfDraft(draft: Draft): Readonly<Partial<Record<keyof Draft, string>>> {
  const found = [
    ['name', lineIn(draft.name, 'name_required', longestName)],
    ['email', emailIn(draft.email)],
    ['title', lineIn(draft.title, 'title_required', longestTitle)],
    ['description', textIn(draft.description)],
  ] as const
  return Object.fromEntries(found.filter(([, code]) => code !== null))
}

/** The same of the files that go with it. */
export function faultOfAttachments(files: readonly { readonly name: string; readonly bytes: number }[]): string | null {
  if (files.length > mostAttachments) return 'too_many_attachments'
  for (const { name, bytes } of files) {
    const fault = lineIn(name, 'attachment_name', longestName)
    if (fault !== null) return fault
    if (bytes < 1) return 'attachment_empty'
    if (bytes > largestAttachmentBytes) return 'attachment_too_large'
  }
  return null
}
