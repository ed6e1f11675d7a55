/** Journey (h): a person sends identity documents, a verifier decides by the keyboard alone; in a real browser against the whole product. */
import { expect, type Page, type Response } from '@playwright/test'
import { enter, mailTo, password, person, send } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'
import { cardPicture, fileOf, heldUser, holdQueue, holdReview, reviewerId } from './fixtures/review.ts'
import { decideIdentity, proveIdentity } from './fixtures/seller.ts'
import { administrator, colleague } from './fixtures/staff.ts'

const words = {
  en: {
    card: 'Identity card, both sides',
    choose: 'Choose a file',
    replace: 'Replace',
    takeBack: 'Take it back',
    front: 'Identity card, front',
    back: 'Identity card, back',
    send: 'Send for verification',
    lacks: 'This is still missing:',
    birth: 'Date of birth',
    pending: 'Verification pending',
    rectify: 'To rectify',
    verified: 'Identity verified',
    verifiedNotice: 'Your identity is verified.',
    type: 'This file is neither a JPEG, PNG or WebP picture nor a PDF, whatever its name says.',
    small: 'The picture is 320 × 200 pixels',
    dark: 'The picture is dark: its mean brightness is 0%.',
    unreadable: 'Unreadable',
    tick: 'Tick what you have compared before you accept.',
    all: 'Every document is decided',
    none: 'No file waits for a reviewer here.',
    notFound: 'Oops... the page was not found!',
    refusedMail: 'Your identity documents need your attention',
    acceptedMail: 'Your identity is verified',
    email: 'Email address',
    code: 'Code of your authenticator',
    past: /Sending 1: refused by/,
  },
  fr: {
    card: 'Carte d’identité, recto et verso',
    choose: 'Choisir un fichier',
    replace: 'Remplacer',
    takeBack: 'La retirer',
    front: 'Carte d’identité, recto',
    back: 'Carte d’identité, verso',
    send: 'Envoyer pour vérification',
    lacks: 'Il manque encore\u202f:',
    birth: 'Date de naissance',
    pending: 'Vérification en cours',
    rectify: 'À rectifier',
    verified: 'Identité vérifiée',
    verifiedNotice: 'Votre identité est vérifiée.',
    type: 'Ce fichier n’est ni une image JPEG, PNG ou WebP, ni un PDF, quel que soit son nom.',
    small: 'L’image fait 320 × 200 pixels',
    dark: 'L’image est sombre\u202f: sa luminosité moyenne est de 0\u202f%.',
    unreadable: 'Illisible',
    tick: 'Cochez ce que vous avez comparé avant d’accepter.',
    all: 'Toutes les pièces sont décidées',
    none: 'Aucun dossier n’attend de vérificateur ici.',
    notFound: 'Oups… la page est introuvable\u202f!',
    refusedMail: 'Vos documents d’identité demandent votre attention',
    acceptedMail: 'Votre identité est vérifiée',
    email: 'Adresse e-mail',
    code: 'Code de votre application d’authentification',
    past: /Envoi 1\u202f: refusé par/,
  },
} as const

/** A picture of nothing, as a telephone in a pocket takes it. */
async function darkPicture(page: Page): Promise<Buffer> {
  const picture = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 200
    // What is drawn on nowhere is black where the format knows no transparency.
    canvas.getContext('2d')
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  return Buffer.from(picture, 'base64')
}

/** Two pages, as a scanner at an office makes them. */
async function scan(page: Page): Promise<Buffer> {
  const other = await page.context().newPage()
  await other.setContent('<h1>Back of the card</h1><p style="break-before:page">Second page</p>')
  const pdf = await other.pdf({ format: 'A6' })
  await other.close()
  return pdf
}

/** Where the page would come to it by itself in a quarter of a minute. */
const look = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

/** Whether each picture is whole in its frame. */
function areWhole(pictures: readonly Element[]): boolean[] {
  return pictures.map((picture) => {
    const [inner, outer] = [picture.getBoundingClientRect(), picture.parentElement?.getBoundingClientRect()]
    return (
      outer !== undefined && inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1
    )
  })
}

const sizes = { en: [360, 1280], fr: [1280, 360] } as const
for (const locale of ['en', 'fr'] as const) {
  const say = words[locale]
  const [personWidth, verifierWidth] = sizes[locale]
  test.describe(locale, () => {
    const context = { locale, contextOptions: { reducedMotion: 'reduce' } } as const
    test.use({ ...context, viewport: { width: personWidth, height: 900 } })

    test('journey (h) R-08 E-20 S-22 S-23 S-24 S-25 X-54 P-14: documents are sent, refused, redone and accepted, by keys alone; each look is recorded', async ({
      page,
      browser,
    }) => {
      // Three people are made, two browsers work, files are drawn anew in jails: on a machine that has other work too.
      test.slow()
      // In two browsers it is walked by different people.
      const run = `${locale}-${test.info().project.name}`
      const boss = await administrator(page, locale, `admin-${run}@review.example`)
      const lastName = `d’Herblay-${run}`
      const who = await person(page, locale, `aramis-${run}@review.example`, lastName)
      const verifier = await colleague(page, boss, {
        locale,
        email: `constance-${run}@review.example`,
        lastName: `Bonacieux-${run}`,
        roles: ['verifier'],
      })
      await enter(page, who)
      const slot = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
      const put = async (words_: string, name: string, file: { name: string; mimeType: string; buffer: Buffer }) =>
        await page.getByLabel(`${words_} – ${name}`, { exact: true }).and(page.locator('input')).setInputFiles(file)
      /** Until the server has it, and the page shows it. */
      const upload = async (...given: Parameters<typeof put>) => {
        const isTaken = (answer: Response) =>
          answer.request().method() === 'POST' && answer.url().includes('/identity_documents/?')
        const [taken] = await Promise.all([page.waitForResponse(isTaken), put(...given)])
        expect(taken.status()).toBe(201)
        await expect(slot(given[1]).getByRole('progressbar')).toHaveCount(0)
      }
      const card = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: await cardPicture(page) }

      // The kind of user comes first; then what the reviewers compare with.
      await page.goto(address(`/${locale}/account/identity/`))
      await expect(page.getByRole('main').getByRole('link').last()).toBeVisible()
      await send(page, 'patch', `/profiles/${who.id}/`, { user_type: 'natural' }, who)
      await page.reload()
      await page.getByLabel(say.card).check()

      // What is no picture does not leave the browser; what may be unreadable is said, with what was measured.
      await put(say.choose, say.front, { ...card, buffer: Buffer.from('GIF89a, says the file') })
      await expect(slot(say.front).getByRole('alert')).toHaveText(say.type)
      await upload(say.choose, say.front, { ...card, buffer: await darkPicture(page) })
      await expect(slot(say.front).getByText(say.small)).toBeVisible()
      await expect(slot(say.front).getByText(say.dark)).toBeVisible()
      await expect(slot(say.front).getByRole('img')).toBeVisible()
      await upload(say.replace, say.front, card)
      await expect(slot(say.front).getByText(say.small)).toHaveCount(0)
      await upload(say.choose, say.back, { name: 'back.pdf', mimeType: 'application/pdf', buffer: await scan(page) })
      await expect(slot(say.back).getByRole('img', { name: /1 (?:of|sur) 2/ })).toBeVisible()
      await page.getByRole('button', { name: say.send }).click()
      await expect(page.getByRole('alert').filter({ hasText: say.lacks })).toContainText(say.birth)
      await isClean(page)
      await keepPicture(page, 'collecting.png')
      const typed = {
        birth_date: '1980-02-28',
        birth_city: 'Vannes',
        birth_country: 'FR',
        nationality: 'FR',
        address: '1 rue du Port',
        zip: '56000',
        city: 'Vannes',
        country: 'FR',
      }
      await send(page, 'patch', `/profiles/${who.id}/`, typed, who)
      await page.reload()
      await page.getByRole('button', { name: say.send }).click()
      await expect(page.getByRole('heading', { name: say.pending })).toBeVisible()
      await expect(page.getByRole('button', { name: `${say.replace} – ${say.front}` })).toHaveCount(0)

      // H-20: to the person the page of the reviewers does not exist, in any of its words.
      expect((await page.goto(address(`/${locale}/admin/users/`)))?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: say.notFound })).toBeVisible()
      const title = await page.title()
      await page.goto(address(`/${locale}/nowhere/`))
      expect(await page.title()).toBe(title)
      const refused = await page.request.get(address('/admin/users/'), { headers: { authorization: `Bearer ${who.token}` } })
      expect(refused.status()).toBe(404)
      await page.goto(address(`/${locale}/account/identity/`))

      // The verifier signs in with the second factor, and touches the keyboard alone.
      const desk = await (await browser.newContext({ ...context, viewport: { width: verifierWidth, height: 900 } })).newPage()
      let looks = 0
      desk.on('response', (answer) => {
        if (/^\/admin\/users\/.*\/pages\/\d+\/$/.test(new URL(answer.url()).pathname) && answer.ok()) looks += 1
      })
      const keys = async (...pressed: readonly string[]) => {
        for (const key of pressed) await desk.keyboard.press(key)
      }
      const queue = `/${locale}/admin/users/?search=${encodeURIComponent(lastName)}`
      await desk.goto(address(`/${locale}/authentication/login/?redirect=${encodeURIComponent(queue)}`))
      await desk.getByLabel(say.email, { exact: true }).focus()
      await desk.keyboard.type(verifier.email)
      await keys('Tab')
      await desk.keyboard.type(password)
      await keys('Enter')
      await expect(desk.getByLabel(say.code)).toBeFocused()
      await desk.keyboard.type(verifier.recoveryCodes.pop() ?? '')
      await keys('Enter')
      const row = desk.getByRole('link', { name: `Zoë ${lastName}` })
      await expect(row).toBeVisible()
      await isClean(desk)
      await keepPicture(desk, 'queue.png')
      await keys('j')
      await expect(row).toBeFocused()
      await keys('Enter')

      const shown = desk.getByRole('main').getByRole('img')
      const said = desk.getByRole('main').getByRole('status')
      await expect(desk.getByRole('heading', { level: 1, name: `Zoë ${lastName}` })).toBeVisible()
      await expect(shown).toHaveAccessibleName(new RegExp(say.front))
      await keys('a')
      await expect(said.filter({ hasText: say.tick })).toBeVisible()
      // Zoomed, turned, and whole again.
      await keys('+', '+', 'r', 'ArrowLeft', 'z', 'z')
      await keys('c', 'c', 'c', 'e')
      await desk.keyboard.type('31122039')
      await keys('Enter', 'a')
      await expect(shown).toHaveAccessibleName(new RegExp(`${say.back}.* 1 `))
      await keys('.')
      await expect(shown).toHaveAccessibleName(new RegExp(`${say.back}.* 2 `))
      await keys('b')
      await expect(shown).toHaveCount(2)
      await expect.poll(() => desk.locator('canvas').evaluateAll(areWhole)).toEqual([true, true])
      await keys('x')
      await isClean(desk)
      await keepPicture(desk, 'file.png')
      await keys('b', '1')
      await expect(said.filter({ hasText: say.all })).toBeVisible()
      await keys('n')
      await desk.keyboard.type('Too much glare: a, x and 1 stay letters.')
      await keys('Escape', 'Control+Enter')
      const dialog = desk.getByRole('dialog')
      await expect(dialog).toContainText('Too much glare: a, x and 1 stay letters.')
      await expect(dialog).toContainText(say.unreadable.toLowerCase(), { ignoreCase: true })
      await isClean(desk)
      await keys('Enter')
      await expect(desk.getByRole('main').getByText(say.none)).toBeVisible()

      // The person is told in his language, by mail and on the page that is open.
      const mail = await mailTo(page, who.email, 2)
      expect(mail).toContain(say.refusedMail)
      expect(mail).toContain('Too much glare')
      await look(page)
      await expect(page.getByRole('heading', { name: say.rectify })).toBeVisible()
      await expect(slot(say.back).getByText(say.unreadable, { exact: true })).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'rectify.png')
      // Only what was refused is redone.
      await expect(page.getByRole('button', { name: `${say.replace} – ${say.front}` })).toHaveCount(0)
      await upload(say.replace, say.back, card)
      await expect(slot(say.back).getByRole('button', { name: say.takeBack })).toBeVisible()
      await page.getByRole('button', { name: say.send }).click()
      await expect(page.getByRole('heading', { name: say.pending })).toBeVisible()

      await desk.reload()
      await expect(row).toBeVisible()
      await keys('j')
      await expect(row).toBeFocused()
      await keys('Enter')
      await expect(shown).toHaveAccessibleName(new RegExp(say.back))
      await expect(desk.getByText(say.past)).toBeVisible()
      await keys('c', 'c', 'a')
      await expect(said.filter({ hasText: say.all })).toBeVisible()
      await keys('Control+Enter')
      await expect(dialog).toBeVisible()
      await keys('Enter')
      await expect(desk.getByRole('main').getByText(say.none)).toBeVisible()
      expect(await mailTo(page, who.email, 3)).toContain(say.acceptedMail)
      await look(page)
      await expect(page.getByRole('heading', { name: say.verified })).toBeVisible()
      await expect(page.getByText(say.verifiedNotice)).toBeVisible()
      await isClean(page)

      // Journey (h) 6: every look stands in the record, and no more than were had.
      const acts = await send(page, 'get', `/admin/acts/?action=review.viewed_document&actor=${verifier.id}`, undefined, boss)
      expect(looks).toBeGreaterThanOrEqual(4)
      expect(acts['count']).toBe(looks)
      await desk.context().close()
    })
  })
}

test.describe('a document that ends', () => {
  test.use({ viewport: { width: 360, height: 800 }, contextOptions: { reducedMotion: 'reduce' } })
  const words = {
    en: {
      renew: 'Send a new one – Passport',
      send: 'Send for verification',
      good: /^What was accepted is good until /,
      counts: /^What counts now: version 1, accepted, good until /,
      pending: 'Verification pending',
      stays: /^Your identity stays verified meanwhile/,
      replaces: /^Replaces version 1, accepted on /,
      replacement: 'Replacement',
      rectify: 'To rectify',
      asBefore: /^Version 1, accepted before, goes on counting as it did/,
    },
    fr: {
      renew: 'En envoyer une nouvelle – Passeport',
      send: 'Envoyer pour vérification',
      good: /^Ce qui a été accepté est valable jusqu’au /,
      counts: /^Ce qui compte aujourd’hui\u202f: la version 1, acceptée, valable jusqu’au /,
      pending: 'Vérification en cours',
      stays: /^Votre identité reste vérifiée entre-temps/,
      replaces: /^Remplace la version 1, acceptée le /,
      replacement: 'Remplacement',
      rectify: 'À rectifier',
      asBefore: /^La version 1, acceptée auparavant, compte comme avant/,
    },
  } as const
  for (const locale of ['en', 'fr'] as const)
    test(`S-27 E-20, ${locale}: a passport about to end is replaced; what counts and what is looked at stand beside each other`, async ({
      page,
      browser,
    }) => {
      const say = words[locale]
      const run = `renewing-${locale}-${test.info().project.name}`
      const boss = await administrator(page, locale, `boss-${run}@review.example`)
      const who = await person(page, locale, `${run}@review.example`, `Renewing-${run}`)
      await send(page, 'patch', `/profiles/${who.id}/`, { user_type: 'natural' }, who)
      const until = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
      await proveIdentity(page, who, boss, until)
      /** @param at the page in its state, at both widths */
      const picture = async (at: Page, name: string) => {
        await isClean(at)
        for (const width of [1280, 360]) {
          await at.setViewportSize({ width, height: 800 })
          await keepPicture(at, `${locale}-${width}-${name}.png`)
        }
      }
      await enter(page, who)
      await page.goto(address(`/${locale}/account/identity/`))
      await expect(page.getByText(say.good)).toBeVisible()
      await picture(page, 'due')
      const file = { name: 'passport.jpg', mimeType: 'image/jpeg', buffer: await cardPicture(page) }
      await page.getByLabel(say.renew, { exact: true }).and(page.locator('input')).setInputFiles(file)
      await expect(page.getByText(say.counts)).toBeVisible()
      await page.getByRole('button', { name: say.send }).click()
      await expect(page.getByRole('heading', { name: say.pending })).toBeVisible()
      await expect(page.getByText(say.stays)).toBeVisible()
      await expect(page.getByText(say.counts)).toBeVisible()
      await picture(page, 'looked-at')

      // Whoever decides sees that it replaces something, and what.
      const desk = await (await browser.newContext({ locale, viewport: { width: 360, height: 800 } })).newPage()
      await enter(desk, boss)
      await desk.goto(address(`/${locale}/admin/users/?search=${encodeURIComponent(`Renewing-${run}`)}`))
      await expect(desk.getByText(say.replacement, { exact: true })).toBeVisible()
      await picture(desk, 'queue')
      await send(desk, 'post', `/admin/users/${who.id}/claim/`, {}, boss)
      await desk.goto(address(`/${locale}/admin/users/${who.id}/`))
      await expect(desk.getByText(say.replaces)).toBeVisible()
      await picture(desk, 'desk')
      await desk.context().close()

      await decideIdentity(page, who, boss, { outcome: 'refused', reason: 'unreadable' })
      await page.reload()
      await expect(page.getByRole('heading', { name: say.rectify })).toBeVisible()
      await expect(page.getByText(say.stays)).toBeVisible()
      await expect(page.getByText(say.asBefore)).toBeVisible()
      await picture(page, 'refused')
    })
})

test.describe('a reviewer’s hour', () => {
  test.use({ viewport: { width: 1280, height: 900 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('journey (h): thirty files in a row by keys alone, each followed by the next', async ({ page }) => {
    const decided = await holdQueue(page, 30)
    const keys = async (...pressed: readonly string[]) => {
      for (const key of pressed) await page.keyboard.press(key)
    }
    await page.goto(address('/en/admin/users/'))
    await expect(page.locator('[data-open]')).toHaveCount(25)
    await keys('j', 'Enter')
    for (let n = 0; n < 30; n += 1) {
      await expect(page.getByRole('heading', { level: 1, name: `Aramis d’Herblay ${30 + n}`, exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Accept', exact: true })).toBeVisible()
      if (n % 3 === 2) await keys('x', '8')
      else {
        await keys('c', 'c', 'c', 'e')
        await page.keyboard.type('311239')
        await keys('Enter', 'a')
      }
      await keys('Control+Enter')
      await expect(page.getByRole('button', { name: 'Send the decision' })).toBeFocused()
      await keys('Enter')
    }
    await expect(page.getByRole('main').getByText('No file waits for a reviewer here.')).toBeVisible()
    expect(new Set(decided.map(({ id }) => id)).size).toBe(30)
    expect(decided.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 30 }, (_, n) => (n % 3 === 2 ? 'refused' : 'accepted')),
    )
  })
})

test.describe('claims', () => {
  test.use({ viewport: { width: 1280, height: 900 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  /** @param minutes from now until the claim ends */
  const claimedFor = (minutes: number, own: boolean, awaitsSecond = false) => {
    const by = own ? { id: reviewerId, name: 'Anne d’Autriche' } : { id: heldUser, name: 'Constance Bonacieux' }
    const claim = { by, own, until: new Date(Date.now() + minutes * 60_000).toISOString() }
    const sent = '2026-11-18T08:10:00.000Z'
    return fileOf({
      verification: {
        state: 'pending',
        submitted_at: sent,
        documents: 2,
        stands_since: null,
        awaits_second: awaitsSecond,
        claim,
      },
    })
  }
  const open = async (page: Page, user: ReturnType<typeof fileOf>) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await holdReview(page, { roles: ['verifier'], user })
    await page.goto(address(`/en/admin/users/${heldUser}/`))
    await expect(page.getByRole('region', { name: 'Who has this file' })).toBeVisible()
    return (part: RegExp) => asked.filter((path) => part.test(path)).length
  }

  test('H-20: what somebody else holds is shown by his name, and none of its pictures is fetched; a second look is told', async ({
    page,
  }) => {
    const times = await open(page, claimedFor(9, false, true))
    await expect(page.getByText(/^Constance Bonacieux has this file until/)).toBeVisible()
    await expect(page.getByText('yours is the second look')).toBeVisible()
    await page.keyboard.press('a')
    await expect(page.getByText('The documents are shown to whoever has taken the file.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0)
    expect(times(/\/pages\//)).toBe(0)
    expect(times(/\/claim\/$/)).toBe(0)
  })

  test('H-20: a claim that has lapsed is taken again by Enter', async ({ page }) => {
    const times = await open(page, claimedFor(-1, true))
    await expect(page.getByText('Your hold on this file has lapsed')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect.poll(() => times(/\/claim\/$/)).toBe(1)
  })

  test('H-20: a claim that nears its end is renewed by who works; letters can be turned off', async ({ page }) => {
    const times = await open(page, claimedFor(2, true))
    await expect(page.getByText(/^Yours for another/)).toBeVisible()
    await page.keyboard.press('?')
    await expect.poll(() => times(/\/claim\/$/)).toBe(1)
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await isClean(page)
    await dialog.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.keyboard.press('x')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('This document is not decided yet.')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Reasons for a refusal' })).toHaveCount(0)
  })
})

test.describe('what staff does to an account', () => {
  test.use({ viewport: { width: 360, height: 900 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

  test('H-20 P-15 X-54: an account is suspended with a reason, reinstated, and given a role; each is asked about and told', async ({
    page,
  }) => {
    test.slow()
    const boss = await administrator(page, 'fr', 'admin-comptes@review.example')
    const who = await person(page, 'fr', 'porthos@review.example', 'du Vallon')
    await enter(page, boss)
    await page.goto(address('/fr/account/'))
    await page.getByRole('button', { name: /^Votre compte/ }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Utilisateurs' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Utilisateurs' })).toBeVisible()
    // The way of whoever knows no address: a search, in any state.
    await page.getByLabel('Vérification').selectOption('any')
    await page.getByRole('searchbox').fill('du Vallon')
    await page.getByRole('searchbox').press('Enter')
    await expect(page).toHaveURL(/state=any/)
    await expect(page).toHaveURL(/search=du/)
    await page.getByRole('link', { name: 'Zoë du Vallon' }).click()
    const account = page.getByRole('region', { name: 'Compte' })
    await expect(account.getByText('Actif', { exact: true })).toBeVisible()

    await account.getByRole('button', { name: 'Suspendre le compte' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Suspendre le compte' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Veuillez saisir le motif')
    await isClean(page)
    await dialog.getByLabel('Motif, pour le registre').fill('Identité usurpée, selon la personne elle-même.')
    await dialog.getByRole('button', { name: 'Suspendre le compte' }).click()
    await expect(page.getByText('Le compte de Zoë du Vallon est suspendu.')).toBeVisible()
    await expect(account.getByText('Identité usurpée, selon la personne elle-même.')).toBeVisible()
    const refused = await page.request.get(address('/profiles/current/'), { headers: { authorization: `Bearer ${who.token}` } })
    expect(refused.status()).toBe(401)
    await account.getByRole('button', { name: 'Rétablir le compte' }).click()
    await dialog.getByRole('button', { name: 'Rétablir le compte' }).click()
    await expect(account.getByText('Actif', { exact: true })).toBeVisible()

    await account.getByRole('checkbox', { name: 'Assistance' }).check()
    await account.getByRole('button', { name: 'Modifier les rôles' }).click()
    await dialog.getByRole('button', { name: 'Modifier les rôles' }).click()
    await expect(page.getByText('Les rôles de Zoë du Vallon sont modifiés.')).toBeVisible()
    await expect(account.getByRole('checkbox', { name: 'Assistance' })).toBeChecked()
    await isClean(page)
    await keepPicture(page, 'account.png')
    // What was done stands in the record, a step away.
    await account.getByRole('link', { name: 'Ce qui a été fait dans ce compte et à son sujet' }).click()
    await expect(page).toHaveURL(new RegExp(`/fr/admin/acts/\\?person=${who.id}`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
