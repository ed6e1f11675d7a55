/** H-25, P-13: a formal notice on a final report, in a browser; what the server makes of it is tried in modules/dispute/server/dispute.test.ts. */
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { holdDispute } from './fixtures/dispute.ts'
import { address, heldId, holdEvidence, isClean, keepPicture, standingOut, states, test } from './fixtures/pages.ts'

const words = {
  en: {
    open: 'Prepare a formal notice',
    title: 'Formal notice',
    lacking: 'Still missing before the letter can be printed',
    identity: 'Have your identity verified',
    recipient: 'To: name and address',
    claim: 'What you claim',
    delay: 'Time to comply, in days',
    range: 'A whole number from 1 to 365',
    letter: 'Text of the letter',
    unknown: /Nothing stands for \{adress\}/,
    preview: 'As it will read',
    filled: 'within 15 days of receiving',
    save: 'Save',
    saved: 'Saved',
    own: 'This text is yours.',
    reset: 'Take the template again',
    template: 'This is the text of the template, until you change it.',
    print: 'Save and download the PDF',
    exhibits: 'Exhibits (2)',
    other: 'French',
    greeting: 'Madame, Monsieur,',
  },
  fr: {
    open: 'Préparer une mise en demeure',
    title: 'Mise en demeure',
    lacking: 'Ce qui manque encore avant l’impression de la lettre',
    identity: 'Faire vérifier votre identité',
    recipient: /^À\s?: nom et adresse$/,
    claim: 'Ce que vous reprochez',
    delay: 'Délai pour s’exécuter, en jours',
    range: 'Un nombre entier de 1 à 365',
    letter: 'Texte de la lettre',
    unknown: /Rien ne correspond à \{adress\}/,
    preview: 'Telle qu’elle se lira',
    filled: 'dans un délai de 15 jours à compter',
    save: 'Enregistrer',
    saved: 'Enregistré',
    own: 'Ce texte est le vôtre.',
    reset: 'Reprendre le modèle',
    template: 'C’est le texte du modèle, tant que vous ne le modifiez pas.',
    print: 'Enregistrer et télécharger le PDF',
    exhibits: 'Pièces (2)',
    other: 'Anglais',
    greeting: 'Dear Sir or Madam,',
  },
} as const

const pdf = Buffer.from('%PDF-1.7\n%%EOF\n')

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const) {
  test.describe(`in ${locale}, ${String(width)} px`, () => {
    test.use({ locale, viewport: { width, height: 800 }, contextOptions: { reducedMotion: 'reduce' } })
    const say = words[locale]

    test('P-13 from the final report to a letter: what is missing is named with the way to it, the text is changed and taken back, and the PDF is saved', async ({
      page,
    }) => {
      const who = await person(page, locale, `notice-${locale}@people.example`)
      await enter(page, who)
      const owner = { id: who.id, name: 'Zoë d’Artagnan' }
      await holdEvidence(page, { ...states.final, owner, created_by: owner })
      let verified = false
      const sent = await holdDispute(page, pdf, () => (verified ? [] : ['identity']))

      await page.goto(address(`/${locale}/capture/${heldId}/`))
      await page.getByRole('link', { name: say.open }).click()
      await expect(page.getByRole('heading', { level: 1, name: say.title })).toBeVisible()
      await expect(page.getByText(say.lacking)).toBeVisible()
      await expect(page.getByText('U+000A')).toHaveCount(0)
      await expect(page.getByRole('link', { name: say.identity })).toHaveAttribute('href', `/${locale}/account/identity/`)
      await expect(page.getByRole('heading', { name: say.exhibits })).toBeVisible()
      await isClean(page)
      expect(await standingOut(page)).toEqual([])
      await keepPicture(page, 'lacking.png')

      // What cannot be taken is told beside its field, and nothing is sent.
      await page.getByLabel(say.delay).fill('400')
      await page.getByRole('button', { name: say.save, exact: true }).click()
      await expect(page.getByText(say.range)).toBeVisible()
      expect(sent).toEqual([])
      await page.getByLabel(say.delay).fill('15')
      await page.getByLabel(say.recipient).fill('Boutique SARL\n3 quai Vert\n56000 Vannes')
      await page.getByLabel(say.claim).fill('Two photographs of mine are on it.')
      await page.getByRole('button', { name: say.save, exact: true }).click()
      await expect(page.getByText(say.filled)).toBeVisible()
      expect(sent.at(-1)).toMatchObject({ delay_days: 15, amount_cents: null, letter: null })

      // His own words, one of which stands for nothing; then the template again.
      const letter = page.getByLabel(say.letter)
      const template = await letter.inputValue()
      await letter.fill(`${template}\n\n{adress}`)
      await expect(page.getByText(say.unknown)).toBeVisible()
      await page.getByRole('button', { name: say.save, exact: true }).click()
      await expect(page.getByText(say.own)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'own-words.png')
      await page.getByRole('button', { name: say.reset }).click()
      await expect(page.getByText(say.template)).toBeVisible()
      await expect(letter).toHaveValue(template)

      // Printed once his identity stands; asked for again while it is being printed.
      verified = true
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: say.print }).click()
      const saved = await download
      expect(saved.suggestedFilename()).toBe(`notice-${heldId}.${locale}.pdf`)
      expect(await readFile(await saved.path())).toEqual(pdf)
      await expect(page.getByText(say.lacking)).toHaveCount(0)
      await isClean(page)
      expect(await standingOut(page)).toEqual([])
      await keepPicture(page, 'ready.png')

      // The other language has a text of its own.
      await page.getByRole('button', { name: say.other }).click()
      await expect(letter).toHaveValue(new RegExp(`^${say.greeting}`))
    })
  })
}
