import { describe, expect, test } from 'vitest'
import { chooseButton, classifyBannerButton, isBanner, speaksOfConsent, type BannerCandidate } from './cookie-banner.ts'

describe('what the words of a button do', () => {
  test.each([
    ...[
      'Reject all',
      'Reject All Cookies',
      'Decline',
      'Deny',
      'Disagree',
      'I do not accept',
      'I don’t agree',
      'No, thanks',
      'Only necessary cookies',
      'Use necessary cookies only',
      'Accept only essential cookies',
      'Essential only',
      'Reject non-essential',
      'Refuse and continue',
      'Tout refuser',
      'TOUT REFUSER',
      'Refuser',
      'Refuser tous les cookies',
      'Je refuse',
      'Non merci',
      '✗ Interdire tous les cookies',
      'Cookies essentiels uniquement',
      'Uniquement les cookies nécessaires',
      'Ne pas accepter',
      'Refuser et fermer ✕',
      'Alle ablehnen',
      'Ablehnen',
      'Cookies ablehnen',
      'Nur notwendige Cookies akzeptieren',
      'Nur erforderliche',
      'Rechazar',
      'Rechazar todas las cookies',
      'Denegar',
      'Solo necesarias',
      'Rifiuta',
      'Rifiuta tutto',
      'Solo i cookie tecnici',
      'Non accetto',
    ].map((words) => [words, 'refuse'] as const),
    ...[
      'Continue without accepting',
      'Continuer sans accepter',
      'Continuer sans accepter →',
      'Poursuivre sans consentir',
      'Ohne Zustimmung fortfahren',
      'Continuar sin aceptar',
      'Continua senza accettare',
    ].map((words) => [words, 'continue'] as const),
    ...['×', 'X', '✕', 'Close', 'Close this banner', 'Fermer', 'Fermer le bandeau', 'Schließen', 'Cerrar', 'Chiudi'].map(
      (words) => [words, 'close'] as const,
    ),
    ...[
      'Accept',
      'Accept all cookies',
      'I agree',
      'Allow all',
      'OK',
      'Got it!',
      'Tout accepter',
      'Accepter & Fermer',
      'Accepter et fermer',
      'J’accepte',
      'J’ai compris',
      'OK pour moi',
      'Alle akzeptieren',
      'Einverstanden',
      'Aceptar todas',
      'Accetta tutti',
    ].map((words) => [words, 'accept'] as const),
    ...[
      '',
      'Settings',
      'Paramétrer mes choix',
      'Personnaliser',
      'Learn more',
      'Accept and subscribe to our newsletter',
      'Refuse collection times',
      'Close account',
      'Fermer mon compte',
      'Fermer et accepter',
      'Reject the premise of this article',
      'Menu',
      'Declined applications',
      'a'.repeat(500),
    ].map((words) => [words, null] as const),
  ])('H-12: “%s” → %s', (words, choice) => {
    expect(classifyBannerButton(words)).toBe(choice)
  })
})

test('which texts speak of consent', () => {
  for (const text of ['We use cookies', 'Gestion des traceurs', 'Ihre Einwilligung', 'Su privacidad', 'your consent', 'RGPD'])
    expect(speaksOfConsent(text), text).toBe(true)
  for (const text of ['Cookieless', 'Subscribe to our letter', 'Une recette']) expect(speaksOfConsent(text), text).toBe(false)
})

const box = (words: readonly string[], more: Partial<BannerCandidate> = {}): BannerCandidate => ({
  element: 0,
  selector: '#box',
  platform: null,
  textLength: 120,
  links: 1,
  framed: false,
  buttons: words.map((text, i) => ({ element: i + 1, selector: `#b${i}`, text, known: null })),
  ...more,
})

describe('H-12: which button is pressed', () => {
  test('one that refuses, before one that closes, in whatever box', () => {
    expect(chooseButton([box(['×', 'Accept']), box(['Accept all', 'Reject all'])], true)).toMatchObject({
      choice: 'refuse',
      button: { text: 'Reject all' },
    })
    expect(chooseButton([box(['Tout accepter', '✕', 'Continuer sans accepter'])], true)?.choice).toBe('continue')
    expect(chooseButton([box(['Tout accepter', '✕'])], true)?.choice).toBe('close')
  })
  test('never one that accepts, unless that was asked for and nothing else is there', () => {
    expect(chooseButton([box(['Accept all', 'Settings'])], false)).toBeNull()
    expect(chooseButton([box(['Accept all', 'Settings'])], true)?.choice).toBe('accept')
  })
  test('a cross is trusted in a small box only: a large one may be the site’s menu', () => {
    expect(chooseButton([box(['Close'], { links: 40 })], false)).toBeNull()
    expect(chooseButton([box(['Close'], { textLength: 9_000 })], false)).toBeNull()
    expect(chooseButton([box(['Close'], { framed: true })], false)).toBeNull()
    expect(chooseButton([box(['Close'], { links: 40, platform: 'OneTrust' })], false)?.choice).toBe('close')
  })
  test('what a known platform’s selector says counts before the words', () => {
    const known = box(['Ne pas autoriser'])
    const [button] = known.buttons
    expect(chooseButton([known], false)).toBeNull()
    if (button === undefined) throw new Error('no button')
    expect(chooseButton([{ ...known, buttons: [{ ...button, known: 'refuse' }] }], false)?.choice).toBe('refuse')
  })
  test('a box without any such button is no banner', () => {
    expect(isBanner(box(['Menu', 'Search']))).toBe(false)
    expect(isBanner(box(['Accept']))).toBe(true)
    expect(isBanner(box([], { platform: 'Didomi' }))).toBe(true)
  })
})
