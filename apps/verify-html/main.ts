import type { Locale } from '../../kernel/locale.ts'
import { version } from '../../package.json'
import { verifyDossier } from '../../modules/verification/domain/dossier/dossier.ts'
import type { Dossier } from '../../modules/verification/domain/dossier/dossier.ts'
import { givenHeaders, readHeaders } from '../../modules/verification/domain/known/known-headers.ts'
import { VerificationStopped } from '../../modules/verification/domain/file/readable.ts'
import { fileOfBlob, filesOfInput, filesOfTransfer, type GivenFile } from '../../modules/verification/web/run/read-files.ts'
import { readFingerprints } from '../../modules/verification/domain/known/read-fingerprints.ts'
import { compareFingerprint } from './compare-fingerprint.ts'
import { el } from './element.ts'
import { knownFields, type Known } from './known-fields.ts'
import { showDossier, showDossierMinutes } from './show-dossier.ts'
import './style.css'
import { wordsOf } from './words.ts'

type Result = { readonly dossier: Dossier; readonly heights: readonly number[] }

let words = wordsOf(navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en')
let given: readonly GivenFile[] = []
let known: Known = {}
let result: Result | undefined
let percent: number | undefined
let defect: string | undefined
let running: AbortController | undefined
let refused = false

const main = el('main', { id: 'main' })
const minutes = el('div', {})
const header = el('header', {})

function speak(locale: Locale): void {
  words = wordsOf(locale)
  draw()
}

function draw(): void {
  document.documentElement.lang = words.locale
  document.title = `${words.ui('title')} – Probant`
  header.replaceChildren(el('p', { class: 'brand' }, 'Probant'), languageSwitch())
  main.replaceChildren(
    el('h1', {}, words.ui('title')),
    el('p', { class: 'soft' }, words.ui('intro')),
    ...(result === undefined ? [dropZone(), pasteZone()] : resultView(result)),
    el('p', { class: 'soft' }, words.ui('self')),
  )
  minutes.replaceChildren(...(result === undefined ? [] : [showDossierMinutes(result.dossier, words, version)]))
}

function languageSwitch(): HTMLElement {
  const button = (locale: Locale, name: string): HTMLElement => {
    const element = el('button', { type: 'button', lang: locale, 'aria-pressed': String(words.locale === locale) }, name)
    element.addEventListener('click', () => {
      speak(locale)
      header.querySelector<HTMLElement>(`button[lang="${locale}"]`)?.focus()
    })
    return element
  }
  return el('nav', { 'aria-label': words.ui('language') }, button('en', 'English'), button('fr', 'Français'))
}

function dropZone(): HTMLElement {
  const file = el('input', { type: 'file', id: 'file', multiple: '' })
  const folder = el('input', { type: 'file', id: 'folder', webkitdirectory: '' })
  for (const input of [file, folder]) input.addEventListener('change', () => void take(filesOfInput([...(input.files ?? [])])))
  const zone = el(
    'div',
    { class: 'drop' },
    el('p', {}, words.ui('drop')),
    el(
      'p',
      { class: 'choices' },
      file,
      el('label', { for: 'file', class: 'button' }, words.ui('choose_file')),
      folder,
      el('label', { for: 'folder', class: 'button' }, words.ui('choose_folder')),
    ),
    el('div', { role: 'status', class: 'status' }),
  )
  queueMicrotask(showProgress)
  return zone
}

/** For a proof that came as text: in a mail, in a document. */
function pasteZone(): HTMLElement {
  const area = el('textarea', { id: 'pasted', rows: '4', spellcheck: 'false' })
  const button = el('button', { type: 'submit', class: 'button quiet' }, words.ui('verify'))
  const form = el('form', { class: 'known', novalidate: '' }, el('label', { for: 'pasted' }, words.ui('paste')), area, button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (area.value.trim() !== '') void take([{ path: words.ui('pasted'), file: new Blob([area.value]) }])
    else area.focus()
  })
  return form
}

function showProgress(): void {
  const status = main.querySelector('.status')
  if (status === null) return
  if (refused) status.replaceChildren(el('p', { class: 'bad' }, words.ui('drop_refused')))
  else if (defect !== undefined) status.replaceChildren(el('p', { class: 'bad' }, words.ui('defect', { reason: defect })))
  else if (percent === undefined) status.replaceChildren()
  else {
    const label = words.ui('progress', { percent })
    status.replaceChildren(el('label', {}, label, el('progress', { max: '100', value: String(percent) })))
  }
}

function resultView({ dossier, heights }: Result): Node[] {
  const print = el('button', { type: 'button', class: 'button' }, words.ui('print'))
  print.addEventListener('click', () => window.print())
  const again = el('button', { type: 'button', class: 'button quiet' }, words.ui('again'))
  again.addEventListener('click', () => {
    result = undefined
    known = {}
    draw()
    main.querySelector<HTMLElement>('#file')?.focus()
  })
  const [conclusion, ...rest] = showDossier(dossier, words)
  const verifyAgain = (fields: Known): void => {
    known = fields
    void start()
  }
  return [
    conclusion,
    el('p', { class: 'actions' }, print, again),
    ...compareFingerprint(dossier.conclusion, known.fingerprint ?? '', words, (fingerprint) =>
      verifyAgain({ ...known, fingerprint }),
    ),
    knownFields(dossier, heights, known, words, verifyAgain),
    ...rest,
    el('p', { class: 'soft' }, words.ui('verified_at', { at: words.instant(dossier.verified_at) })),
  ]
}

async function take(files: readonly GivenFile[]): Promise<void> {
  if (files.length === 0) return
  given = files
  await start()
}

async function start(): Promise<void> {
  running?.abort()
  const stop = new AbortController()
  running = stop
  result = undefined
  defect = undefined
  refused = false
  percent = 0
  draw()
  let drawn = performance.now()
  const heights = new Set<number>()
  const { trust, headers, fingerprint, ...fields } = known
  try {
    const dossier = await verifyDossier(
      given.map(({ path, file }) => fileOfBlob(path, file)),
      {
        now: () => new Date(),
        signal: stop.signal,
        fields,
        fingerprints: readFingerprints(fingerprint ?? '') ?? [],
        ...(trust === undefined ? {} : { trust: new TextEncoder().encode(trust) }),
        headers: givenHeaders(readHeaders(headers ?? '') ?? [], (height) => heights.add(height)),
        onProgress: (done, total) => {
          percent = total === 0 ? 100 : Math.floor((done / total) * 100)
        },
        pause: async () => {
          if (performance.now() - drawn < 30) return
          showProgress()
          await new Promise((resolve) => setTimeout(resolve))
          drawn = performance.now()
        },
      },
    )
    result = { dossier, heights: [...heights] }
  } catch (error) {
    if (error instanceof VerificationStopped) return
    defect = error instanceof Error ? error.message : ''
  }
  percent = undefined
  draw()
  main.querySelector<HTMLElement>('#result')?.focus()
}

document.body.append(header, main, minutes)
for (const type of ['dragenter', 'dragover']) {
  document.addEventListener(type, (event) => {
    event.preventDefault()
    document.body.classList.add('over')
  })
}
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) document.body.classList.remove('over')
})
document.addEventListener('drop', (event) => {
  event.preventDefault()
  document.body.classList.remove('over')
  if (event.dataTransfer === null) return
  // Chromium refuses to read dropped folders to a page that was opened from the disk.
  filesOfTransfer(event.dataTransfer).then(take, () => {
    result = undefined
    refused = true
    draw()
  })
})
draw()
