import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { facts as rows, flatten, heading, soft } from '../../../../../platform/print/document/inlines.ts'
import { wasSteered } from '../../content/session-facts.ts'
import { askedByWords, namesAccounts } from '../../page/asked-by-words.ts'
import type { ReportPage } from '../../page/report-page.ts'
import { operatorWords } from '../operator.ts'
import { placeOf } from '../place.ts'

/** Longest name on the page; the cover and the annexes have longer ones. */
const summaryName = 28
/** Authorities that are named on the page. */
const mostAuthorities = 2

const clockWords = {
  pass: 'report.when.clock_pass',
  fail: 'report.when.clock_fail',
  not_measured: 'report.when.clock_unmeasured',
} as const

/** Whose clock the machine's is, and what its comparison with others found. */
function machineClock({ t, content }: ReportPage): string {
  const line = content.facts.checklist.find(({ id }) => id === 'clock')
  return t(line === undefined ? 'report.when.clock' : clockWords[line.result])
}

/** Each moment, and by whose clock. */
export function whenRows(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { facts, seal, session } = content
  const clock = soft([' – ', machineClock(page)])
  const dated = seal.timestamps.slice(0, mostAuthorities)
  const asked = page.instant(session === null ? facts.navigated_at : session.facts.began_at)
  const answered = facts.timestamps.filter(({ path }) => path !== null).length
  return [
    heading(3, t('report.when.title')),
    {
      ...rows(
        [t(session === null ? 'report.when.asked' : 'report.session.began'), [asked.utc, clock]],
        // Of a session it is said how long it lasted.
        session === null ? [t('report.when.finished'), page.instant(facts.finished_at).utc] : null,
        facts.timestamps.length === 0
          ? null
          : [t('report.when.during'), t('report.when.during_value', { count: answered, asked: facts.timestamps.length })],
        ...dated.map(
          (stamp) =>
            [
              t('report.when.sealed'),
              [
                page.instant(stamp.gen_time).utc,
                soft([
                  ' – ',
                  page.text(stamp.authority, 60),
                  `, ${t(stamp.qualified ? 'report.qualified.yes' : 'report.qualified.no')}`,
                ]),
              ],
            ] as const,
        ),
        dated.length === 0 ? [t('report.when.sealed'), t('report.when.undated')] : null,
      ),
      look: 'dense',
    },
  ]
}

function serverWords(page: ReportPage): Inlines {
  const { t, content } = page
  const { server, machine } = content.facts
  const what = soft([' – ', page.text(machine.browser, 50), ', ', page.text(machine.os, 60)])
  return server === null
    ? [page.text(machine.hostname, 60), ` (${t('report.summary.unregistered')})`, what]
    : [page.text(server.name, 60), ` (${t('report.summary.place')} `, placeOf(page, server), ')', what]
}

/** The site answered from there, and by that certificate. */
function siteWords(page: ReportPage): Inlines {
  const { t, content } = page
  const { server_address: address, certificate } = content.facts
  return [
    address === null ? t('report.not_measured') : page.code(address),
    ', ',
    certificate === null
      ? t('report.word.certificate_none')
      : page.say('report.word.certificate', {
          subject: page.text(certificate.subject, 60),
          issuer: page.text(certificate.issuer, 60),
        }),
  ]
}

/** Who was there to see it. */
function observerWords(page: ReportPage): Inlines {
  const { t, content } = page
  const { session, askedBy } = content
  const seen =
    session === null
      ? t('report.word.observer_none')
      : t(wasSteered(session.facts) ? 'report.word.observer_visitor' : 'report.word.observer_nobody')
  const witnesses = session?.facts.witnesses ?? []
  const signed = witnesses.filter(({ countersigned }) => countersigned !== null).length
  return [
    seen,
    session === null ? [] : ` ${t('report.word.witnesses', { count: witnesses.length, signed })}`,
    askedBy === null
      ? []
      : [
          ' ',
          page.say('report.word.asked', { who: askedByWords(page, askedBy, summaryName) }),
          namesAccounts(askedBy) ? ` ${t('report.asked_by.unverified_short')}` : [],
        ],
  ]
}

/** Who says so: each of those on whom the report rests. */
export function whoseWord(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const named = new Map(content.seal.timestamps.map((stamp) => [stamp.authority, stamp]))
  const shown = [...named.values()].slice(0, mostAuthorities)
  const left = named.size - shown.length
  return flatten([
    heading(3, t('report.word.title')),
    {
      ...rows(
        [t('report.word.operator'), operatorWords(page, 90)],
        [t('report.word.server'), serverWords(page)],
        [t('report.word.site'), siteWords(page)],
        [
          t('report.word.authorities', { count: named.size }),
          shown.length === 0
            ? t('report.when.undated')
            : [
                shown.map((stamp, index) => [
                  index > 0 ? `${t('report.separator')} ` : [],
                  page.text(stamp.authority, 60),
                  soft([' – ', t(stamp.embedded ? 'report.word.authority_own' : 'report.word.authority_outside')]),
                ]),
                left > 0 ? ` ${t('report.weak.others', { count: left })}` : [],
              ],
        ],
        [t('report.word.observer'), observerWords(page)],
      ),
      look: 'dense',
    },
  ])
}
