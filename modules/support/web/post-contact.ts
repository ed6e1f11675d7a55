import type { Locale } from '../../../kernel/locale.ts'
import type { WorkOrScore } from '../../../kernel/work-done.ts'
import { call } from '../../../ui/api/call.ts'
import { sendContact } from '../contract/endpoints.ts'
import type { Draft } from '../domain/draft-faults.ts'
import { announced } from './announced.ts'
import { sendAttachments, type Sending } from './send-attachments.ts'

export type Sent = { readonly reference: string; readonly email: string; readonly lost: readonly string[] }

type Send = <T>(request: (work?: WorkOrScore) => Promise<T>, scored: (score: string) => Promise<T>) => Promise<T>

/** C-65: sends a message, then the files that it announced. @param send does what may have to be worked for */
export async function postContact(
  values: Draft,
  {
    locale,
    files,
    send,
    onSending,
  }: {
    readonly locale: Locale
    readonly files: readonly File[]
    readonly send: Send
    readonly onSending: (sending: Sending | null) => void
  },
): Promise<Sent> {
  const body = { ...values, locale, attachments: announced(files) }
  const post = async (work?: WorkOrScore) =>
    await call(sendContact, { body: { ...body, ...(work === undefined ? {} : { work }) } })
  const answer = await send(post, (score) => post({ score }))
  const lost = await sendAttachments(files, answer.attachments, onSending)
  return { reference: answer.reference, email: values.email.trim(), lost }
}
