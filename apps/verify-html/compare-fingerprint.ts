import type { Conclusion } from '../../modules/verification/domain/dossier/concluded/conclude.ts'
import { nameOfAuthority } from '../../modules/verification/domain/describe/describe-check.ts'
import { readFingerprints } from '../../modules/verification/domain/known/read-fingerprints.ts'
import { unknownAuthorities } from '../../modules/verification/domain/dossier/concluded/conclude.ts'
import { el } from './element.ts'
import { mayScan, scanCode } from './scan-code.ts'
import type { PageWords } from './words.ts'

/**
 * Whom nobody here vouches for, with the fingerprint to compare; what the reader has from the operator is typed, pasted or scanned, and
 * everything is verified again with it. Nothing where there is nobody to compare.
 */
export function compareFingerprint(
  conclusion: Conclusion,
  given: string,
  words: PageWords,
  verify: (fingerprints: string) => void,
): Node[] {
  const unknown = unknownAuthorities(conclusion)
  if (unknown.length === 0) return []
  const say = (id: string): string => words.format(`verification.compare.${id}`, {})
  const input = el('input', { id: 'fingerprint', type: 'text', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'none' })
  input.value = given
  const error = el('p', { class: 'bad', role: 'alert' })
  const compare = (): void => {
    if (readFingerprints(input.value) === undefined) error.textContent = say('wrong')
    else verify(input.value)
  }
  const form = el(
    'form',
    { class: 'known', novalidate: '' },
    el('label', { for: 'fingerprint' }, say('field')),
    input,
    error,
    el('button', { type: 'submit', class: 'button' }, say('button')),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    compare()
  })
  // Offered where this browser reads codes and has a camera: it is asked for when the button is pressed.
  void mayScan().then((may) => {
    if (!may) return
    const scan = el('button', { type: 'button', class: 'button quiet' }, say('scan'))
    scan.addEventListener('click', () => {
      const video = el('video', { muted: '', playsinline: '' })
      scan.replaceWith(video)
      scanCode(video).then(
        (text) => {
          video.replaceWith(scan)
          input.value = text
          compare()
        },
        () => {
          video.remove()
          error.textContent = say('no_camera')
        },
      )
    })
    form.append(' ', scan)
  })
  return [
    el(
      'section',
      { class: 'card compare', 'aria-labelledby': 'compare' },
      el('h2', { id: 'compare' }, say('title')),
      el('p', {}, say('lead')),
      el(
        'dl',
        {},
        ...unknown.flatMap(({ name, sha256 }) => [
          el('dt', {}, nameOfAuthority(name, words)),
          el('dd', {}, el('code', {}, sha256.replace(/(.{8})(?=.)/g, '$1 '))),
        ]),
      ),
      form,
    ),
  ]
}
