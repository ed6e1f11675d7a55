import { html } from '../../../platform/html/html.ts'
import { type Asked, facts, page } from './layout.ts'
import { isWord, say, type WordId } from './words.ts'

type Field = { readonly name: string; readonly label: WordId; readonly autocomplete: string; readonly errors: readonly string[] }

const fields: readonly Field[] = [
  { name: 'cardNumber', label: 'number', autocomplete: 'cc-number', errors: ['02625'] },
  { name: 'cardExpirationDate', label: 'expiry', autocomplete: 'off', errors: ['02624', '02626'] },
  { name: 'cardCvx', label: 'cvx', autocomplete: 'cc-csc', errors: ['02627'] },
]

/** The card, typed in on the provider's side. What was wrong stands at its field; the security code is never given back. */
export function cardForm(
  asked: Asked,
  title: 'pay' | 'register',
  told: readonly (readonly [WordId, string])[],
  error: string | undefined,
): string {
  const { language } = asked
  const wrong = error !== undefined && isWord(error) ? say(language, error) : undefined
  return page(
    asked,
    title,
    html`${facts(asked, told)}
      <form method="post" novalidate>
        ${fields.map(({ name, label, autocomplete, errors }) => {
          const mistaken = error !== undefined && errors.includes(error) && wrong !== undefined
          return html`<label for="${name}">${say(language, label)}</label>
            <input
              id="${name}"
              name="${name}"
              inputmode="numeric"
              autocomplete="${autocomplete}"
              aria-invalid="${mistaken ? 'true' : 'false'}"
              aria-describedby="${name}-hint"
              value="${name === 'cardCvx' ? '' : (asked.fields?.get(name) ?? '')}"
            />
            <p class="${mistaken ? 'error' : 'hint'}" id="${name}-hint">
              ${mistaken ? wrong : name === 'cardNumber' ? say(language, 'numberHint') : ''}
            </p>`
        })}
        <button class="yes">${say(language, 'send')}</button>
      </form>`,
  )
}
