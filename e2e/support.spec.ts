/** Support: a visitor writes; somebody with an account writes, is answered in his box and by mail, and replies; the staff's queue. By the keyboard. */
import { expect, type Page } from '@playwright/test'
import { enter, mailAbout, mailTo, person, send } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, pressEnter, test } from './fixtures/pages.ts'
import { administrator } from './fixtures/staff.ts'

const words = {
  en: {
    heading: 'Support',
    name: 'Name',
    email: 'Email address',
    title: 'Title',
    description: 'Description',
    send: 'Send',
    required: ['Please enter your name', 'Please enter your email address', 'Please enter a title', 'Please enter a description'],
    sent: 'Your message was sent',
    failed: 'Your message was not sent',
    box: 'Your requests',
    open: 'Awaiting an answer',
    answered: 'Answered',
    answer: 'Your answer',
    next: /^Next one waiting: /,
    answerSent: 'The answer was sent',
    reply: 'Your reply',
    sendReply: 'Send the reply',
    save: /^Save notes\.txt/,
    received: 'Your message has reached us',
    missing: 'Oops... the page was not found!',
  },
  fr: {
    heading: 'Assistance',
    name: 'Nom',
    email: 'Adresse e-mail',
    title: 'Objet',
    description: 'Description',
    send: 'Envoyer',
    required: [
      'Veuillez saisir votre nom',
      'Veuillez saisir votre adresse e-mail',
      'Veuillez saisir un objet',
      'Veuillez décrire votre demande',
    ],
    sent: 'Votre message est envoyé',
    failed: 'Votre message n’est pas parti',
    box: 'Vos demandes',
    open: 'En attente de réponse',
    answered: 'Répondue',
    answer: 'Votre réponse',
    next: /^Suivante en attente\s: /,
    answerSent: 'La réponse est envoyée',
    reply: 'Votre réponse',
    sendReply: 'Envoyer la réponse',
    save: /^Enregistrer notes\.txt/,
    received: 'Nous avons reçu votre message',
    missing: 'Oups… la page est introuvable\u202f!',
  },
} as const
type Locale = keyof typeof words

async function fill(page: Page, locale: Locale, title: string): Promise<void> {
  await page.getByLabel(words[locale].title, { exact: true }).fill(title)
  await page.getByLabel(words[locale].description, { exact: true }).fill('I asked for it an hour ago.\n\nIt still waits.')
}

for (const [locale, width, scheme] of [
  ['en', 360, 'light'],
  ['fr', 1280, 'dark'],
] as const) {
  const say = words[locale]
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: scheme, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('R-07 V-40 V-41 V-42 V-43 P-05 C-65 X-30: a visitor is told what lacks, loses nothing, works and is confirmed', async ({
      page,
    }) => {
      const email = `visitor.${locale}.${Date.now().toString(36)}@people.example`
      await page.goto(address(`/${locale}/guide/`))
      // L-13: the way to it is in the footer of each page.
      await page.getByRole('contentinfo').getByRole('link', { name: say.heading, exact: true }).press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: say.heading })).toBeVisible()
      await pressEnter(page.getByRole('button', { name: say.send, exact: true }))
      for (const each of say.required) await expect(page.getByText(each, { exact: true })).toBeVisible()
      await expect(page.getByLabel(say.name, { exact: true })).toBeFocused()
      await isClean(page)
      await keepPicture(page, 'faults.png')
      await page.keyboard.type('Jeanne Martin')
      await page.keyboard.press('Tab')
      await page.keyboard.type(email)
      await fill(page, locale, 'A capture that never ends')
      // What was typed outlives a reload.
      await page.reload()
      await expect(page.getByLabel(say.title, { exact: true })).toHaveValue('A capture that never ends')

      // The server fails: told, and nothing is lost.
      await page.route('**/contact/', (route) =>
        route.fulfill({ status: 503, json: { code: 'http.unavailable', message: 'x', fields: {}, data: {}, request_id: 'r' } }),
      )
      await pressEnter(page.getByRole('button', { name: say.send, exact: true }))
      await expect(page.getByRole('alert').filter({ hasText: say.failed }).first()).toBeVisible()
      await expect(page.getByLabel(say.email, { exact: true })).toHaveValue(email)
      await page.unroute('**/contact/')

      await pressEnter(page.getByRole('button', { name: say.send, exact: true }))
      await expect(page.getByRole('heading', { level: 3, name: say.sent })).toBeFocused({ timeout: 60_000 })
      // What failed before is not said beside it.
      await expect(page.getByRole('alert').filter({ hasText: say.failed })).toHaveCount(0)
      await isClean(page)
      await keepPicture(page, 'sent.png')
      expect(await mailTo(page, email, 1)).toContain(say.received)
    })

    test('L-19 C-65 X-30 H-20: somebody with an account is answered in the box, and replies; the queue is for staff', async ({
      page,
      browser,
    }) => {
      const stamp = `${locale}.${Date.now().toString(36)}`
      const who = await person(page, locale, `box.${stamp}@people.example`)
      const anne = await administrator(page, locale, `support.${stamp}@people.example`)
      await enter(page, who)
      await page.goto(address(`/${locale}/support/`))
      // Whoever is signed in is known.
      await expect(page.getByLabel(say.name, { exact: true })).toHaveValue('Zoë d’Artagnan')
      await expect(page.getByLabel(say.email, { exact: true })).toHaveValue(who.email)
      const title = `Question ${stamp}`
      await fill(page, locale, title)
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('what I saw'),
      })
      await keepPicture(page, 'signed-in.png')
      await pressEnter(page.getByRole('button', { name: say.send, exact: true }))
      await expect(page.getByRole('heading', { level: 3, name: say.sent })).toBeVisible()
      await expect(page.getByRole('region', { name: say.box }).getByText(say.open)).toBeVisible()
      await isClean(page)

      const desk = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme, locale })
      const staff = await desk.newPage()
      await enter(staff, anne)
      await staff.goto(address(`/${locale}/admin/support/`))
      await staff.getByRole('link', { name: title }).press('Enter')
      await expect(staff.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(staff.getByText(who.email).first()).toBeVisible()
      const saved = staff.waitForEvent('download')
      await pressEnter(staff.getByRole('button', { name: say.save }))
      expect((await saved).suggestedFilename()).toBe('notes.txt')
      await staff.getByLabel(say.answer).fill('It waits for a server.\n\nOne is free now.')
      // What was typed outlives a reload here, too.
      await staff.reload()
      await expect(staff.getByLabel(say.answer)).toHaveValue('It waits for a server.\n\nOne is free now.')
      await isClean(staff)
      await keepPicture(staff, 'desk.png')
      const other = { name: 'Zoë', email: who.email, title: `Another ${stamp}`, description: 'Which is it?' }
      await send(page, 'post', '/contact/', other, who)
      await staff.getByLabel(say.answer).press('Control+Enter')
      await expect(staff.getByText(say.answerSent)).toBeVisible()
      await expect(staff.getByLabel(say.answer)).toHaveValue('')
      // On to whoever waits: whom, the requests of other tests decide.
      await staff.getByRole('link', { name: say.next }).press('Enter')
      await expect(staff.getByRole('heading', { level: 1, name: title })).toHaveCount(0)
      await expect(staff.getByLabel(say.answer)).toHaveValue('')
      await staff.goto(address(`/${locale}/admin/support/?status=answered`))
      await expect(staff.getByRole('link', { name: title })).toBeVisible()
      await isClean(staff)
      await keepPicture(staff, 'queue.png')

      await mailAbout(page, who.email, 'One is free now.')
      await page.goto(address(`/${locale}/support/`))
      await page.getByRole('link', { name: title }).press('Enter')
      await expect(page.getByText('One is free now.')).toBeVisible()
      await expect(page.getByText(say.answered, { exact: true })).toBeVisible()
      await page.getByLabel(say.reply).fill('Thank you.')
      await isClean(page)
      await keepPicture(page, 'conversation.png')
      await pressEnter(page.getByRole('button', { name: say.sendReply, exact: true }))
      await expect(page.getByText('Thank you.')).toBeVisible()
      await expect(page.getByText(say.open, { exact: true })).toBeVisible()
      // To whoever is not staff there is no queue.
      await page.goto(address(`/${locale}/admin/support/`))
      await expect(page.getByRole('heading', { level: 1, name: say.missing })).toBeVisible()
      await desk.close()
    })
  })
}
