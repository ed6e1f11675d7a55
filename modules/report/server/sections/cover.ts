import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { code, facts, flatten, lineBreak, paragraph, soft } from '../../../../platform/print/document/inlines.ts'
import { wasSteered } from '../content/session-facts.ts'
import { askedByWords } from '../page/asked-by-words.ts'
import { reduced } from '../page/pictures.ts'
import type { ReportPage } from '../page/report-page.ts'
import { operatorWords } from './operator.ts'

/** Of the window on the cover, in millimetres: as wide as the text, unless there is much of that. */
const shownRoom = { width: 174, height: 104 }
const lessRoom = { width: 104, height: 60 }
/** Characters of title and address that leave the window its room. */
const fewWords = 110
const rosetteWidth = 58

/** The window as it was; of a live session, the page that was shown last. The exhibit is the same image at its full size. */
export function thumbnail(page: ReportPage, room: { readonly width: number; readonly height: number }): Block | null {
  const all = page.content.session === null ? page.exhibits : page.exhibits.toReversed()
  const exhibit = all.find((one) => one.kind === 'viewport') ?? all.find((one) => one.kind === 'full_page')
  return exhibit === undefined ? null : reduced(page, exhibit, room)
}

export function cover(page: ReportPage, rosette: { readonly file: string; readonly alt: string }): readonly Block[] {
  const { t, content } = page
  const { subject, facts: measured, seal, session } = content
  const { title } = measured
  const room = title.length + subject.final_url.length > fewWords || content.preview ? lessRoom : shownRoom
  return flatten([
    { kind: 'brand' },
    paragraph(soft(t(session === null ? 'report.document' : 'report.session.document')), 'lead'),
    content.preview && { kind: 'callout', tone: 'alert', text: t('report.preview.note') },
    { kind: 'heading', level: 1, text: title.trim() === '' ? t('report.untitled') : page.text(title, 160) },
    paragraph(page.url(subject.final_url, 300)),
    thumbnail(page, room),
    { kind: 'fill' },
    {
      kind: 'columns',
      shares: [rosetteWidth, 116],
      columns: [[{ kind: 'figure', picture: rosette, width: rosetteWidth }], [{ ...plate(page), look: 'dense' }]],
    },
    paragraph([soft(t('report.cover.root')), lineBreak, code(seal.root, 'bad')]),
    paragraph(t('report.cover.rosette_hint'), 'small'),
    paragraph(t(session === null || !wasSteered(session.facts) ? 'report.cover.nature' : 'report.session.nature'), 'grave'),
  ])
}

function plate(page: ReportPage): ReturnType<typeof facts> {
  const { t, content } = page
  const { subject, facts: measured, seal, askedBy, session } = content
  const { hostname, browser, os } = measured.machine
  const captured = page.instant(session === null ? subject.started_at : session.facts.began_at)
  const [first] = seal.timestamps
  const sealed = (): Inlines =>
    first === undefined
      ? []
      : [
          page.instant(first.gen_time).utc,
          lineBreak,
          page.text(
            t('report.cover.sealed_by', {
              authority: first.authority,
              status: first.qualified ? t('report.qualified.yes') : t('report.qualified.no'),
            }),
          ),
        ]
  return facts(
    [t(session === null ? 'report.cover.captured' : 'report.session.began'), [captured.utc, lineBreak, captured.paris]],
    askedBy === null ? null : [t('report.cover.asked_by'), askedByWords(page, askedBy)],
    [t('report.operator'), operatorWords(page, 160)],
    [t('report.cover.machine'), [page.text(hostname, 80), ', ', page.text(browser, 80), ', ', page.text(os, 80)]],
    first === undefined ? null : [t('report.cover.sealed'), sealed()],
    [t('report.cover.evidence'), code(subject.evidence_id)],
  )
}
