/** What was earned by referral and by licences, and how it is paid out: each state in both languages, narrow and wide, light and dark. */
import { expect } from '@playwright/test'
import { codeOf, enter, mailAbout, mailTo, password, person, send, type Someone } from './fixtures/accounts.ts'
import { comings, heldPayout, holdEarnings, holdPayoutDesk } from './fixtures/earnings.ts'
import { completeProfile, payFor, test } from './fixtures/money.ts'
import { askNow, beginByHand, monthsPass, namesAtProvider } from './fixtures/months.ts'
import { address, isClean, keepPicture } from './fixtures/pages.ts'
import { lookAt } from './fixtures/scenes.ts'
import { proveIdentity } from './fixtures/seller.ts'
import { administrator } from './fixtures/staff.ts'
import { walks } from './fixtures/walks.ts'

lookAt(
  [
    {
      name: 'E-41 S-18 S-19 S-20 S-21 payouts, each state, and what keeps the next one back',
      path: '/account/payout/',
      prepare: async (page) => await holdEarnings(page),
      act: async (page) => {
        for (const words of [/^(To be wired|À virer)$/, /^(Sending|Envoi en cours)$/, /^(Paid out|Versé)$/, /^(Failed|Échec)$/])
          await expect(page.getByText(words).first()).toBeVisible()
        const mended = page.getByRole('link', { name: /Add a bank account|Ajouter un compte bancaire/ })
        await expect(mended).toHaveAttribute('href', /\/account\/bank\/$/)
        await expect(page.getByText(/F2026-000012/).first()).toBeVisible()
      },
    },
    {
      name: 'S-27 payouts, an account to be confirmed and a document that was refused',
      path: '/account/payout/',
      prepare: async (page) => await holdEarnings(page, { coming: comings['to be confirmed'] }),
      act: async (page) => {
        await expect(page.getByRole('link', { name: /Confirm the bank account|Confirmer le compte bancaire/ })).toBeVisible()
        await expect(page.getByRole('alert').filter({ hasText: /has expired|a expiré/ })).toBeVisible()
      },
    },
    {
      name: 'a payout with each line that it comes from',
      path: `/account/payout/${heldPayout}/`,
      prepare: async (page) => await holdEarnings(page),
      act: async (page) => await expect(page.getByText(/F2026-000012/).nth(2)).toBeVisible(),
    },
    {
      name: 'H-20 S-20 payouts of all accounts, one of them with its lines, where it is paid to, and what it brings that it was paid',
      path: '/admin/payouts/',
      prepare: holdPayoutDesk,
      act: async (page) => {
        await page.getByRole('link', { name: 'Ada Byron' }).first().click()
        await expect(page.getByRole('heading', { name: 'Ada Byron' })).toBeVisible()
        await expect(page.getByText(/F2026-000012/).first()).toBeVisible()
        await isClean(page)
        await keepPicture(page, `one-payout-${String(page.viewportSize()?.width)}.png`)
        await page.getByRole('button', { name: /^(Where to pay|Où payer) PBT/ }).click()
        await expect(page.getByText(/FR76\s3000/)).toBeVisible()
        await page
          .getByRole('dialog', { name: /PBT/ })
          .getByRole('button', { name: /^(Close|Fermer)$/ })
          .click()
        await expect(page.getByRole('dialog', { name: /PBT/ })).toBeHidden()
        await page.getByRole('button', { name: /^(It was paid|Le virement est passé)/ }).click()
        await page.getByRole('textbox').fill('As the bank says')
        await page.getByRole('button', { name: /^(Show what it brings|Voir les conséquences)$/ }).click()
        await expect(page.getByText(/Nothing has been done yet|Rien n’est encore fait/)).toBeVisible()
        await expect(page.getByText(/512000/)).toBeVisible()
      },
    },
    {
      name: 'nothing was earned',
      path: '/account/payout/',
      prepare: async (page) =>
        await holdEarnings(page, { none: true, coming: { ...comings.ready, amount_cents: 0, lacks: ['minimum'] } }),
      act: async (page) => await expect(page.getByText(/Nothing has been earned yet|Aucun gain/)).toBeVisible(),
    },
    {
      name: 'E-42 E-43 E-44 those whom one referred',
      path: '/account/referral/',
      prepare: async (page) => await holdEarnings(page),
      act: async (page) => {
        await expect(page.getByText('j•••@e•••.org').first()).toBeVisible()
        await expect(page.getByText(/First subscription: Comfort|Premier abonnement\s: Confort/).first()).toBeVisible()
        await expect(page.getByText(/Same person|Même personne/)).toBeVisible()
      },
    },
  ],
  test,
)

const words = {
  en: {
    menu: 'Open the menu',
    copy: 'Copy my referral link',
    copied: 'Referral link copied.',
    register: 'Create the account',
    code: 'Six-digit code',
    confirm: 'Confirm',
    nobody: 'Nobody registered with your link yet.',
    one: /^1 person registered with your link/,
    unsubscribed: 'No subscription yet',
    subscribed: /First subscription: Essential/,
    earned: /line 1: 10% of €399\.00/,
    minimum: /^Payouts are made from €20\.00/,
    identity: 'Have it verified',
    bank: 'Add a bank account',
    wrong: 'This IBAN is not valid',
    right: 'Valid IBAN – France',
    holder: ['Account holder', 'Address of the account holder'],
    save: 'Save the bank account',
    prepare: 'Prepare my payouts',
    again: 'Check where this stands',
    confirmAccount: 'Confirm the bank account',
    ready: 'Will be paid',
    sending: 'Sending',
    failed: /the bank account was refused.*It is tried again next month/,
    change: 'Change the bank account',
    paid: 'Paid out',
    paidMail: /€39\.90 were paid out to you/,
    failedMail: /A payout of €39\.90 failed/,
    statement: 'Statement (PDF)',
    whereTo: 'Where to pay',
    closeIt: 'Close',
    itWasPaid: 'It was paid',
    itCameBack: 'It was sent back',
    why: 'Why, for the record of acts',
    whyMissing: 'Say why.',
    show: 'Show what it brings',
    doIt: 'Do exactly this',
    consequence: 'Sending, then Paid out',
    back: 'Sent back',
    backText: /^Your bank sent it back\. It is owed to you/,
  },
  fr: {
    menu: 'Ouvrir le menu',
    copy: 'Copier mon lien de parrainage',
    copied: 'Lien de parrainage copié.',
    register: 'Créer le compte',
    code: 'Code à six chiffres',
    confirm: 'Confirmer',
    nobody: 'Personne ne s’est encore inscrit par votre lien.',
    one: /^1 personne s’est inscrite par votre lien/,
    unsubscribed: 'Pas encore d’abonnement',
    subscribed: /Premier abonnement\s: Essentiel/,
    earned: /ligne 1\s: 10\s% de 399,00\s€/,
    minimum: /^Les versements .* 20,00\s€/,
    identity: 'La faire vérifier',
    bank: 'Ajouter un compte bancaire',
    wrong: 'Cet IBAN n’est pas valide',
    right: 'IBAN valide – France',
    holder: ['Titulaire du compte', 'Adresse du titulaire'],
    save: 'Enregistrer le compte bancaire',
    prepare: 'Préparer mes versements',
    again: 'Vérifier où cela en est',
    confirmAccount: 'Confirmer le compte bancaire',
    ready: 'Sera versé',
    sending: 'Envoi en cours',
    failed: /le compte bancaire a été refusé.*mois prochain/,
    change: 'Changer le compte bancaire',
    paid: 'Versé',
    paidMail: /39,90\s€ vous ont été versés/,
    failedMail: /Le versement de 39,90\s€ a échoué/,
    statement: 'Relevé (PDF)',
    whereTo: 'Où payer',
    closeIt: 'Fermer',
    itWasPaid: 'Le virement est passé',
    itCameBack: 'Les fonds sont revenus',
    why: 'Motif, pour le registre des actes',
    whyMissing: 'Indiquez un motif.',
    show: 'Voir les conséquences',
    doIt: 'Faire exactement cela',
    consequence: 'Envoi en cours, puis Versé',
    back: 'Renvoyé',
    backText: /^Votre banque a renvoyé la somme\. Elle vous reste due/,
  },
} as const

for (const [locale, width] of walks) {
  const context = { locale, viewport: { width, height: 800 }, contextOptions: { reducedMotion: 'reduce' } } as const
  test.describe(`in ${locale}, ${String(width)} px`, () => {
    test.use(context)
    const say = words[locale]

    test('journey (f) E-41 E-42 H-20 S-20 S-21 C-54 C-55 C-56 C-57 K-17 K-18 L-06: a friend registers by the link and pays; what that earned is paid out on the first of a month, after a bank refused it once, and another time sent back what was paid by hand', async ({
      page,
      browser,
      browserName,
      paid,
    }) => {
      // Three accounts, two payouts, pages of a payment provider: on a machine that has other work too.
      test.slow()
      const tag = `${locale}${String(Date.now()).slice(-6)}`
      const who = await person(page, locale, `referrer.${tag}@payout.example`)
      const payouts = async () =>
        (await send(page, 'get', '/payouts/', undefined, who)) as unknown as {
          readonly results: readonly { readonly id: string; readonly status: string }[]
          readonly coming: { readonly accrued_cents: number; readonly amount_cents: number }
        }
      const look = async (name: string) => {
        await isClean(page)
        await keepPicture(page, `${name}.png`)
      }
      await enter(page, who)

      // The link, from the menu.
      // Firefox is told so when it is started.
      if (browserName === 'chromium')
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: paid.origin })
      await page.goto(address(`/${locale}/account/referral/`))
      await expect(page.getByText(say.nobody)).toBeVisible()
      if (width < 960) await page.getByRole('button', { name: say.menu }).click()
      await page.getByRole('button', { name: say.copy }).click()
      await expect(page.getByText(say.copied)).toBeVisible()
      const link = await page.evaluate(async () => await navigator.clipboard.readText())

      // A friend in a browser of his own; a code that nobody has does not keep another from registering.
      const friend = await (await browser.newContext(context)).newPage()
      await friend.goto(link)
      const typed = {
        email: `friend.${tag}@elsewhere.example`,
        first_name: 'Ada',
        last_name: 'Byron',
        password,
        password_confirmation: password,
      }
      for (const [name, value] of Object.entries(typed)) await friend.locator(`[name=${name}]`).fill(value)
      await expect(friend.locator('[name=referral_code]')).not.toHaveValue('')
      await friend.locator('[name=terms]').check()
      await isClean(friend)
      await keepPicture(friend, 'registering.png')
      await friend.getByRole('button', { name: say.register }).click()
      await friend.getByLabel(say.code).fill(codeOf(await mailTo(page, typed.email, 1)))
      await friend.getByRole('button', { name: say.confirm, exact: true }).click()
      await friend.waitForURL(`**/${locale}/evidences/**`)
      const stranger = { ...typed, email: `stranger.${tag}@elsewhere.example`, referral_code: 'nobody-1', terms: true, locale }
      expect(await send(page, 'post', '/rest-auth/registration/', stranger)).toMatchObject({ referral_code_known: false })

      // He is there, his address in part, before he pays anything.
      await page.goto(address(`/${locale}/account/referral/`))
      await expect(page.getByText(say.one)).toBeVisible()
      await expect(page.getByText('f•••@e•••.example')).toBeVisible()
      await expect(page.getByText(say.unsubscribed)).toBeVisible()
      const { results: referees } = (await send(page, 'get', '/referees/', undefined, who)) as { results: { id: string }[] }
      expect(await send(page, 'get', `/referees/${referees[0]?.id ?? ''}/`, undefined, who)).toMatchObject(referees[0] ?? {})
      await look('referred')

      // He pays: what it earned is there, with the rule and the line of the invoice.
      const { access_token: token, user } = await send(page, 'post', '/rest-auth/login/', { email: typed.email, password })
      const payer: Someone = { id: (user as { pk: string }).pk, email: typed.email, token: String(token) }
      await completeProfile(page, payer)
      await send(page, 'post', '/subscriptions/', { plan: 'essential' }, payer)
      const { results: invoices } = (await send(page, 'get', '/invoices/', undefined, payer)) as { results: { id: string }[] }
      await payFor(page, payer, invoices[0]?.id ?? '')
      await askNow(paid, 'referral.accrue_earnings')
      await expect.poll(async () => (await payouts()).coming.accrued_cents).toBe(3990)
      await page.goto(address(`/${locale}/account/payout/`))
      await expect(page.getByText(say.earned)).toBeVisible()
      await expect(page.getByText(say.minimum)).toBeVisible()
      // Who he is, and where he is paid, is nobody's business yet.
      await expect(page.getByRole('link', { name: say.identity })).toHaveCount(0)
      await expect(page.getByRole('link', { name: say.bank })).toHaveCount(0)
      await look('earned')
      await page.goto(address(`/${locale}/account/referral/`))
      await expect(page.getByText(say.subscribed)).toBeVisible()

      // It matured: only now both are asked for, and nothing is lost while they are not there.
      await monthsPass(paid, who.id, 3)
      await askNow(paid, 'payout.run')
      await expect.poll(async () => (await payouts()).coming.amount_cents).toBe(3990)
      await send(page, 'patch', `/profiles/${who.id}/`, { user_type: 'natural' }, who)
      const boss = await administrator(page, locale, `boss.${tag}@payout.example`, paid.dataFolder)
      await page.goto(address(`/${locale}/account/payout/`))
      await expect(page.getByRole('link', { name: say.identity })).toBeVisible()
      await look('asked-for')
      await page.getByRole('link', { name: say.bank }).click()
      // The friend's window was before it: in Firefox a field is left only where the window is in front.
      await page.bringToFront()
      const iban = page.getByLabel('IBAN', { exact: true })
      await iban.pressSequentially('FR7630006000011234567890188')
      await iban.blur()
      await expect(page.getByText(say.wrong)).toBeVisible()
      await iban.fill('FR7630006000011234567890189')
      await expect(page.getByText(say.right)).toBeVisible()
      await page.getByLabel('BIC').fill('AGRIFRPP')
      await page.getByLabel(say.holder[0], { exact: true }).fill('Zoë d’Artagnan')
      await page.getByLabel(say.holder[1]).fill('1 rue du Port, 56000 Vannes')
      await look('bank')
      await page.getByRole('button', { name: say.save }).click()
      await expect(page.getByText(/0189/)).toBeVisible()
      await proveIdentity(page, who, boss)

      // The provider is told, once, and confirmed to on his own page.
      await page.goto(address(`/${locale}/account/payout/`))
      await page.getByRole('button', { name: say.prepare }).click()
      await page.getByRole('link', { name: say.confirmAccount }).click()
      await page.waitForURL(/127\.0\.0\.1:\d+\/(?!en\/|fr\/)/)
      await page.getByRole('button').first().click()
      await page.waitForURL(`**/${locale}/account/payout/**`)
      for (const reference of (await namesAtProvider(paid, who.id)).documents)
        await paid.control(`POST documents/${reference}`, {})
      // Whoever asks each hour may have heard it meanwhile.
      const again = page.getByRole('button', { name: say.again })
      const ready = page.getByText(say.ready, { exact: true })
      await expect(async () => {
        await page.reload()
        await expect(again.or(ready)).toBeVisible()
        if (await again.isVisible()) await again.click()
        await expect(ready).toBeVisible()
      }).toPass()
      await look('ready')

      // The first of a month: on its way, refused by his bank, and said why.
      await monthsPass(paid, who.id, 1)
      await askNow(paid, 'payout.run')
      await expect.poll(async () => (await namesAtProvider(paid, who.id)).payout).not.toBeNull()
      await page.reload()
      await expect(page.getByText(say.sending, { exact: true })).toBeVisible()
      await look('sending')
      await paid.control(`POST payouts/${(await namesAtProvider(paid, who.id)).payout ?? ''}`, { result: '121999' })
      const settle = async (status: string) => {
        await paid.control('POST clock', { advance: 3 * 86_400 })
        // Whoever asks each hour may be asking just now, hears what was so a moment ago, and puts the next time an hour off.
        await expect(async () => {
          await askNow(paid, 'payout.ask')
          expect((await payouts()).results[0]?.status).toBe(status)
        }).toPass()
        await page.reload()
      }
      await settle('failed')
      await expect(page.getByText(say.failed)).toBeVisible()
      await expect(page.getByRole('link', { name: say.change })).toHaveAttribute('href', `/${locale}/account/bank/`)
      await look('failed')

      // The month after his operator pays it by his own bank: seen before it is done, said once, and taken back where the money comes back.
      await monthsPass(paid, who.id, 1)
      const { id, reference } = await beginByHand(paid, who.id)
      const desk = await (await browser.newContext(context)).newPage()
      await enter(desk, boss)
      const lookAtDesk = async (name: string) => {
        for (const each of [1640 - width, width]) {
          await desk.setViewportSize({ width: each, height: 800 })
          await isClean(desk)
          await keepPicture(desk, `desk-${name}-${String(each)}.png`)
        }
      }
      await desk.goto(address(`/${locale}/admin/payouts/`))
      const rows = desk.getByRole('main').getByRole('listitem').filter({ hasText: 'Zoë' })
      // What the provider moved is nobody's to settle.
      await expect(rows.filter({ hasNotText: reference }).getByRole('button')).toHaveCount(0)
      await lookAtDesk('list')
      await rows.filter({ hasText: reference }).getByRole('link').click()
      await desk.getByRole('button', { name: `${say.whereTo} ${reference}` }).click()
      const dialog = desk.getByRole('dialog')
      await expect(dialog.getByText('FR76 3000 6000 0112 3456 7890 189')).toBeVisible()
      await lookAtDesk('where')
      await dialog.getByRole('button', { name: say.closeIt }).click()
      const settleByHand = async (act: string, name: string) => {
        await desk.getByRole('button', { name: new RegExp(`^${act}`) }).click()
        await dialog.getByRole('button', { name: say.show }).click()
        await expect(dialog.getByText(say.whyMissing)).toBeVisible()
        await dialog.getByLabel(say.why).fill('Statement of the bank, line 7')
        await expect(dialog.getByText(say.whyMissing)).toHaveCount(0)
        await lookAtDesk(`${name}-why`)
        await dialog.getByRole('button', { name: say.show }).click()
        await expect(dialog.getByText(/512000/)).toBeVisible()
        await lookAtDesk(`${name}-shown`)
        await dialog.getByRole('button', { name: say.doIt }).click()
        await expect(dialog).toBeHidden()
      }
      await settleByHand(say.itWasPaid, 'paid')
      await expect(desk.getByText(say.paid, { exact: true }).first()).toBeVisible()
      await lookAtDesk('paid')
      const saidAgain = async (outcome: string) => {
        const headers = { authorization: `Bearer ${boss.token}` }
        const answer = await page.request.post(address(`/admin/payouts/${id}/settle/`), {
          headers,
          data: { outcome, reason: 'again' },
        })
        return [answer.status(), ((await answer.json()) as { code: string }).code]
      }
      expect(await saidAgain('success')).toEqual([409, 'payout.illegal_transition'])
      expect(await saidAgain('failed')).toEqual([409, 'payout.illegal_transition'])
      await mailAbout(page, who.email, say.paidMail)
      await page.goto(address(`/${locale}/account/payout/`))
      await expect(page.getByText(say.paid, { exact: true })).toBeVisible()
      await look('paid-by-hand')
      await settleByHand(say.itCameBack, 'back')
      await expect(desk.getByText(say.back, { exact: true }).first()).toBeVisible()
      await expect(desk.getByRole('button', { name: new RegExp(reference) })).toHaveCount(0)
      await lookAtDesk('back')
      await desk.close()
      await page.reload()
      await expect(page.getByText(say.back, { exact: true })).toBeVisible()
      await expect(page.getByText(say.backText)).toBeVisible()
      expect((await payouts()).coming.amount_cents).toBe(3990)
      await look('sent-back')

      // The month after it is tried again, and reaches him: a mail leads to the statement.
      await monthsPass(paid, who.id, 1)
      await askNow(paid, 'payout.run')
      await expect
        .poll(async () => (await payouts()).results.map(({ status }) => status))
        .toEqual(['pending', 'returned', 'failed'])
      // What the provider does not know yet takes no days there.
      await expect.poll(async () => (await namesAtProvider(paid, who.id)).payout).not.toBeNull()
      await settle('success')
      await expect(page.getByText(say.paid, { exact: true })).toBeVisible()
      const mail = await mailAbout(page, who.email, say.paidMail)
      expect(await mailAbout(page, who.email, say.failedMail)).toContain(`/${locale}/account/payout/`)
      const to = new RegExp(`/${locale}/account/payout/[0-9a-f-]{36}/`).exec(mail)?.[0] ?? ''
      await page.goto(address(to))
      await expect(page.getByText(say.earned)).toBeVisible()
      await look('statement')
      const [pdf] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: say.statement }).click()])
      expect(pdf.suggestedFilename()).toMatch(/^PBT-[0-9A-Z]{10}\.pdf$/)
      expect((await payouts()).coming).toMatchObject({ amount_cents: 0, accrued_cents: 0 })
    })
  })
}
