/** The pages of the set-up: forms that need no script, each of one step, and what came of trying it. */
import { otherLocale, type Locale } from '../../../../kernel/locale.ts'
import { settings } from '../../../../platform/config/settings/settings.ts'
import { html, htmlToString, trustedHtml, type Html, type HtmlValue } from '../../../../platform/html/html.ts'
import type { MessageId, Messages } from '../../../../platform/messages/messages.ts'
import type { Found } from '../answers/take-answers.ts'
import { askedOf } from '../answers/take-answers.ts'
import { steps, type Question, type Step, type StepId } from '../answers/steps.ts'

/** How far it has come. */
export type Progress = {
  readonly answers: Map<string, string>
  /** What came of trying a step the last time. */
  readonly found: Map<StepId, readonly Found[]>
  /** Kept although something in it does not work. */
  readonly kept: Set<StepId>
  isWritten: boolean
  administrator: string | null
  holds: boolean | null
}

export type Shown = { readonly messages: Messages; readonly path: string; readonly progress: Progress; readonly file: string }

type Part = { readonly path: string; readonly title: MessageId; readonly isDone: (progress: Progress) => boolean }

export const pathOf = (id: StepId): string => `/steps/${id}/`
/** Tried, and nothing in it was wrong. */
const works = ({ found }: Progress, id: StepId): boolean => found.get(id)?.every(({ isRight }) => isRight) === true

/** In the order in which they are gone through. */
export const parts: readonly Part[] = [
  ...steps.map(({ id, title }) => ({ path: pathOf(id), title, isDone: (progress: Progress) => works(progress, id) })),
  { path: '/write/', title: 'setup.page.write', isDone: ({ isWritten }) => isWritten },
  { path: '/administrator/', title: 'setup.administrator', isDone: ({ administrator }) => administrator !== null },
  { path: '/first/', title: 'setup.first', isDone: ({ holds }) => holds === true },
  { path: '/end/', title: 'setup.page.end', isDone: () => false },
]

/** Where it goes on: at what is neither done nor kept as it is. */
export const firstLeft = (progress: Progress): string =>
  parts.find(({ path, isDone }) => !isDone(progress) && ![...progress.kept].some((id) => pathOf(id) === path))?.path ?? '/end/'

export const partAfter = (path: string): string => parts[parts.findIndex((part) => part.path === path) + 1]?.path ?? path

const names: Readonly<Record<Locale, string>> = { en: 'English', fr: 'Français' }

const gap = '<!-- what takes its time -->'

/** Until where it opens a page, and from where it closes it: what takes its time is told in between. */
export function frame(shown: Shown, title: MessageId): { readonly open: string; readonly close: string } {
  const [open = '', close = ''] = page(shown, title, trustedHtml(gap)).split(gap)
  return { open, close }
}

export function page({ messages, path, progress }: Shown, title: MessageId, body: Html): string {
  const at = parts.findIndex((part) => part.path === path)
  const other = otherLocale(messages.locale)
  const text = messages.format(title)
  const document = html`<html lang="${messages.locale}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${text} – ${messages.format('setup.page.name')}</title>
      <link rel="stylesheet" href="/style.css" />
      <script src="/setup.js" defer></script>
    </head>
    <body>
      <header>
        <span class="name">${messages.format('setup.page.name')}</span>
        <a href="${`?lang=${other}`}" hreflang="${other}" lang="${other}">${names[other]}</a>
      </header>
      <div class="columns">
        <main>
          ${at < 0 ? null : html`<p class="place">${messages.format('setup.page.place', { at: at + 1, of: parts.length })}</p>`}
          <h1>${text}</h1>
          ${body}
        </main>
        ${at < 0 ? null : nav(messages, path, progress)}
      </div>
    </body>
  </html>`
  return `<!doctype html>${htmlToString(document)}`
}

function nav(messages: Messages, path: string, progress: Progress): Html {
  return html`<nav aria-label="${messages.format('setup.page.steps')}">
    <ol>
      ${parts.map((part) => {
        const isHere = part.path === path
        const sign = part.isDone(progress)
          ? html`<span class="sign">✓</span>`
          : html`<span class="sign" aria-hidden="true">·</span>`
        const name = messages.format(part.title)
        return html`<li>
          ${sign}
          ${isHere ? html`<a href="${part.path}" aria-current="step">${name}</a>` : html`<a href="${part.path}">${name}</a>`}
        </li>`
      })}
    </ol>
  </nav>`
}

/** @param faults what was typed and is not taken, by the name of the setting */
export function stepPage(
  shown: Shown,
  step: Step,
  typed: Readonly<Record<string, string>> = {},
  faults: Readonly<Record<string, string>> = {},
): string {
  const { messages, progress } = shown
  const found = progress.found.get(step.id) ?? []
  const isRight = found.length > 0 && found.every((each) => each.isRight)
  const next = partAfter(shown.path)
  const first = Object.keys(faults)[0]
  return page(
    shown,
    step.title,
    html`${
        first === undefined
          ? null
          : html`<p class="wrong" role="alert">${messages.format('setup.page.faults', { count: Object.keys(faults).length })}</p>`
      }
      ${
        found.length === 0
          ? null
          : html`<div role="status">
              <ul class="found">
                ${found.map((each) => html`<li class="${each.isRight ? 'right' : 'wrong'}">${each.isRight ? '✓' : '✗'} ${each.text}</li>`)}
              </ul>
            </div>`
      }
      ${isRight ? html`<p><a class="button" href="${next}">${messages.format('setup.page.next')}</a></p>` : null}
      <form method="post" action="${shown.path}" data-busy="${messages.format('setup.page.trying')}">
        ${askedOf(step, progress.answers).map((question) =>
          field(shown, question, typed[settings[question.key].name], faults[settings[question.key].name]),
        )}
        ${
          step.id === 'mail' && progress.answers.has('SMTP_URL')
            ? input({
                name: 'recipient',
                label: messages.format('setup.page.recipient'),
                type: 'email',
                value: typed['recipient'] ?? '',
              })
            : null
        }
        <button class="${isRight ? 'quiet' : ''}">
          ${messages.format(found.length === 0 ? 'setup.page.try' : 'setup.page.again')}
        </button>
        ${
          found.some((each) => !each.isRight)
            ? html`<button class="quiet" name="keep" value="yes">${messages.format('setup.page.keep')}</button>`
            : null
        }
      </form>`,
  )
}

function field(
  { messages, progress }: Shown,
  { key, ask, words }: Question,
  typed: string | undefined,
  fault: string | undefined,
): Html {
  const setting = settings[key]
  const { name, secret, fallback } = setting
  const now = progress.answers.get(name)
  const usual = Array.isArray(fallback) ? fallback.join(', ') : typeof fallback === 'number' ? String(fallback) : fallback
  const choices = 'choices' in setting ? setting.choices : undefined
  const label = messages.format(ask)
  if (choices !== undefined) {
    const chosen = typed ?? now ?? (typeof setting.fallback === 'string' ? setting.fallback : '')
    return html`<fieldset ${described(name, fault)}>
      <legend>${label}</legend>
      ${choices.map(
        (choice) =>
          html`<label class="choice"
            >${
              chosen === choice
                ? html`<input type="${choices.length === 1 ? 'checkbox' : 'radio'}" name="${name}" value="${choice}" checked />`
                : html`<input type="${choices.length === 1 ? 'checkbox' : 'radio'}" name="${name}" value="${choice}" />`
            }
            ${words === undefined ? choice : messages.format(words[choice] ?? ask)}</label
          >`,
      )}
      ${faultOf(name, fault)}
    </fieldset>`
  }
  const isKept = secret && now !== undefined
  return html`${input({
    name,
    label,
    type: secret ? 'password' : 'text',
    value: secret ? '' : (typed ?? now ?? ''),
    hint: isKept
      ? messages.format('setup.page.kept')
      : typeof usual === 'string' && usual !== ''
        ? messages.format('setup.page.default', { usual })
        : undefined,
    fault,
  })}
  ${
    isKept
      ? html`<label class="choice"
          ><input type="checkbox" name="forget" value="${name}" /> ${messages.format('setup.page.forget')}</label
        >`
      : null
  }`
}

const described = (name: string, fault: string | undefined): HtmlValue =>
  fault === undefined ? null : html`aria-describedby="${name}-fault" aria-invalid="true"`
const faultOf = (name: string, fault: string | undefined): HtmlValue =>
  fault === undefined ? null : html`<span class="wrong" id="${name}-fault">✗ ${fault}</span>`

export function input(spec: {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password' | 'email' | 'url'
  readonly value?: string
  readonly hint?: string | undefined
  readonly fault?: string | undefined
}): Html {
  const { name, label, type, value = '', hint, fault } = spec
  const by = [hint === undefined ? '' : `${name}-hint`, fault === undefined ? '' : `${name}-fault`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? null : html`<span class="hint" id="${name}-hint">${hint}</span>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${type === 'password' ? 'new-password' : 'off'}"
      autocapitalize="none"
      spellcheck="false"
      aria-describedby="${by}"
      aria-invalid="${fault === undefined ? 'false' : 'true'}"
    />
    ${faultOf(name, fault)}
  </div>`
}
