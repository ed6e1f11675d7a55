import { expect, test } from 'vitest'
import { locales, type Locale } from '../../../kernel/locale.ts'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import type { Block } from '../../../kernel/document/blocks.ts'
import { documentText } from '../../../testing/document-text.ts'
import type { CaptureFacts } from './content/report-content.ts'
import { composeReport } from './compose-report.ts'
import { sampleFacts, samplePieces, sampleSeal, sampleSubject } from './sample-report.test-data.ts'

/** As checklists were sealed before decision 0346: a heading among the conditions, two verdicts in one line. */
const sealed: CaptureFacts['checklist'] = [
  { id: 'standard', result: 'pass', data: { standard: 'NF Z67-147' }, evidence_path: null },
  {
    id: 'machine',
    result: 'pass',
    data: { model: null, serial: null, identity: '3f4e', virtualisation: 'kvm' },
    evidence_path: 'environment/environment.json',
  },
  {
    id: 'dns',
    result: 'pass',
    data: {
      servers: '192.0.2.53',
      host: null,
      used: null,
      asked_name: 'no',
      answered: 0,
      agreeing: 0,
      different: 0,
      contradicting: 0,
      authenticated: 0,
    },
    evidence_path: 'environment/dns.json',
  },
  {
    id: 'protection',
    result: 'fail',
    data: {
      firewall: 'no_tool',
      tool: null,
      rules: 0,
      antivirus: 'none',
      engine: null,
      signatures_at: null,
      scan: 'no',
      clean: 0,
      found: 0,
      findings: '',
    },
    evidence_path: 'environment/environment.json',
  },
]

function blocksIn(locale: Locale): readonly Block[] {
  const messages = createMessages(locale)
  return composeReport(
    {
      locale,
      preview: false,
      subject: sampleSubject,
      facts: { ...sampleFacts(900), checklist: sealed, warnings: [] },
      askedBy: null,
      pieces: samplePieces,
      seal: sampleSeal,
      pictures: [],
      picturesLeftOut: 0,
      secondWindow: null,
      session: null,
      exchanges: { state: 'absent' },
      certificates: null,
      limits: null,
      lines: () => null,
      siteUrl: null,
    },
    {
      captureWords: (id, values) => (messages.has(id) ? messages.format(id, values) : null),
      rosette: sealRosette,
      folder: '',
    },
  ).blocks
}

test('K-33 a checklist that was sealed before is printed as it was measured, and its heading counts as no condition', () => {
  const english = documentText(blocksIn('en'))
  expect(english).toContain('Conditions of the capture that were not met: Firewall and antivirus (annex A).')
  expect(english).not.toContain('of the capture could not be measured')
  expect(english).toContain('1. Machine identified')
  expect(english).toContain('Virtual machine or container: kvm. Identity of this machine: 3f4e.')
  expect(english).toContain('Antivirus: none found (ClamAV was looked for).')
  expect(english).toContain('or its answer was not recorded.')
  expect(english).toContain('condition 1, “Machine identified”')
  expect(english).not.toMatch(/Standard named|capture\.checklist|asked_name|has_/)
  const french = documentText(blocksIn('fr'))
  expect(french).toContain('Conditions de la capture non remplies : Pare-feu et antivirus (annexe A).')
  expect(french).toContain('1. Machine identifiée')
  expect(french).toContain('3. Pare-feu et antivirus')
})

test.each(locales)('K-33 %s: what was not used is one line, and a place that nobody stated is “not stated”', (locale) => {
  const blocks = blocksIn(locale)
  const text = documentText(blocks)
  const [unused, second, place] =
    locale === 'en'
      ? [
          'Not used: dismissal of cookie banners, scenario, second capture server, time stamps during the session.',
          'Second vantage point',
          'Place, as stated by the operator not stated',
        ]
      : [
          'Non utilisés : fermeture des bandeaux de cookies, scénario, second serveur de capture, horodatages pendant la session.',
          'Second point de vue',
          'Lieu, tel que l’indique l’exploitant non indiqué',
        ]
  expect(text).toContain(unused)
  expect(text).toContain(place)
  expect(text).not.toContain(second)
  // The sections that are left are numbered without a gap, and so are the letters of the annexes.
  const numbers = blocks.flatMap((block) => (block.kind === 'heading' && block.number !== undefined ? [block.number] : []))
  expect(numbers.length).toBeGreaterThan(10)
  const annexes = numbers.indexOf('A')
  expect(numbers.slice(0, annexes)).toEqual(numbers.slice(0, annexes).map((_, index) => String(index + 1)))
  expect(numbers.slice(annexes).join('')).toBe('ABCDEFGHIJK'.slice(0, numbers.length - annexes))
})
