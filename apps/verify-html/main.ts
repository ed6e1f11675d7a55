import type { Locale } from '../../kernel/locale.ts'
import type { PackageSource } from '../../modules/verification/domain/package-source.ts'
import { VerificationStopped } from '../../modules/verification/domain/package-source.ts'
import type { VerificationReport } from '../../modules/verification/domain/report.ts'
import { verifyPackage } from '../../modules/verification/domain/verify-package.ts'
import { el } from './element.ts'
import { sourceOfDrop, sourceOfFiles } from './read-files.ts'
import { showMinutes, showReport } from './show-report.ts'
import './style.css'
import { wordsOf } from './words.ts'

let words = wordsOf(navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en')
let report: VerificationReport | undefined
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
    ...(report === undefined ? [dropZone()] : result(report)),
  )
  if (report === undefined) main.append(el('p', { class: 'soft' }, words.ui('self')))
  minutes.replaceChildren(...(report === undefined ? [] : [showMinutes(report, words)]))
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
  const file = el('input', { type: 'file', id: 'file', accept: '.zip,application/zip' })
  const folder = el('input', { type: 'file', id: 'folder', webkitdirectory: '' })
  for (const input of [file, folder]) input.addEventListener('change', () => void start(sourceOfFiles([...(input.files ?? [])])))
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

function result(found: VerificationReport): Node[] {
  const print = el('button', { type: 'button', class: 'button' }, words.ui('print'))
  print.addEventListener('click', () => window.print())
  const again = el('button', { type: 'button', class: 'button quiet' }, words.ui('again'))
  again.addEventListener('click', () => {
    report = undefined
    draw()
    main.querySelector<HTMLElement>('#file')?.focus()
  })
  const [verdict, ...rest] = showReport(found, words)
  return [
    ...(verdict === undefined ? [] : [verdict]),
    el('p', { class: 'actions' }, print, again),
    ...rest,
    el('p', { class: 'soft' }, words.ui('verified_at', { at: words.instant(found.verified_at) })),
    el('p', { class: 'soft' }, words.ui('self')),
  ]
}

async function start(source: PackageSource | undefined): Promise<void> {
  if (source === undefined) return
  running?.abort()
  const stop = new AbortController()
  running = stop
  report = undefined
  defect = undefined
  refused = false
  percent = 0
  draw()
  let drawn = performance.now()
  try {
    const found = await verifyPackage(source, {
      now: () => new Date(),
      signal: stop.signal,
      onProgress: (done, total) => {
        percent = total === 0 ? 100 : Math.floor((done / total) * 100)
      },
      pause: async () => {
        if (performance.now() - drawn < 30) return
        showProgress()
        await new Promise((resolve) => setTimeout(resolve))
        drawn = performance.now()
      },
    })
    report = found
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
  sourceOfDrop(event.dataTransfer.items).then(start, () => {
    report = undefined
    refused = true
    draw()
  })
})
draw()
