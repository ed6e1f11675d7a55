/** The lists of an account, in a real browser against the whole product. */
import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { enter, person, send } from './fixtures/accounts.ts'
import { fillList, joinGroup, listEvidences, type Listed } from './fixtures/listed-evidences.ts'
import { playSession } from './fixtures/live-session.ts'
import { address, heldId, holdEvidence, isClean, keepPicture, openRowMenu, states, test } from './fixtures/pages.ts'

const words = {
  en: {
    search: 'Address, title or reference',
    order: 'Order',
    byAddress: 'Address: A to Z',
    find: /^Search and filter/,
    sheet: 'Search and filter',
    kind: 'Kind',
    live: 'Live session',
    show: 'Show',
    showAll: 'Show all',
    remove: 'Remove the filter “Kind: Live session”',
    none: 'Nothing was found',
    keys: 'Keys of this list',
    lines: (count: number) => `${count} ${count === 1 ? 'item' : 'items'}`,
    addLabel: /^Add a reference – .*bravo/,
    label: 'Reference',
    save: 'Save',
    saved: 'The reference was saved.',
    trash: /^Put in the trash – .*delta/,
    trashed: 'Put in the trash.',
    undo: 'Undo',
    restored: 'Taken out of the trash.',
    selectPage: 'Select this page',
    selection: 'Selection',
    selected: (count: number) => `${count} selected`,
    doTrash: 'Put in the trash',
    emptied: '4 reports were put in the trash.',
    empty: 'No report yet',
    trashTab: 'Trash',
    select: (what: string) => new RegExp(`^Select .*${what}`),
    restore: 'Restore',
    backAgain: '3 reports were taken out of the trash.',
    forGood: /^Delete for good/,
    gone: 'The files of the report were deleted.',
    filesDeleted: 'Files deleted',
    pending: 'Pending',
    discard: /^Delete – .*gone/,
    confirmDiscard: 'Delete',
    discarded: 'The draft was deleted.',
    total: 'in all',
    many: '10,000',
    failed: 'Your list could not be read.',
    statsFailed: 'The figures could not be read.',
    retry: 'Try again',
  },
  fr: {
    search: 'Adresse, titre ou référence',
    order: 'Ordre',
    byAddress: 'Adresse\u202f: de A à Z',
    find: /^Rechercher et filtrer/,
    sheet: 'Rechercher et filtrer',
    kind: 'Type',
    live: 'Session en direct',
    show: 'Afficher',
    showAll: 'Tout afficher',
    remove: 'Retirer le filtre «\u202fType\u202f: Session en direct\u202f»',
    none: 'Rien n’a été trouvé',
    keys: 'Touches de cette liste',
    lines: (count: number) => `${count} ${count === 1 ? 'preuve' : 'preuves'}`,
    addLabel: /^Ajouter une référence – .*bravo/,
    label: 'Référence',
    save: 'Enregistrer',
    saved: 'La référence a été enregistrée.',
    trash: /^Mettre à la corbeille – .*delta/,
    trashed: 'Mis à la corbeille.',
    undo: 'Annuler',
    restored: 'Sorti de la corbeille.',
    selectPage: 'Sélectionner cette page',
    selection: 'Sélection',
    selected: (count: number) => `Sélection\u202f: ${count}`,
    doTrash: 'Mettre à la corbeille',
    emptied: '4 rapports ont été mis à la corbeille.',
    empty: 'Aucun rapport pour l’instant',
    trashTab: 'Corbeille',
    select: (what: string) => new RegExp(`^Sélectionner .*${what}`),
    restore: 'Restaurer',
    backAgain: '3 rapports ont été sortis de la corbeille.',
    forGood: /^Supprimer définitivement/,
    gone: 'Les fichiers du rapport ont été supprimés.',
    filesDeleted: 'Fichiers supprimés',
    pending: 'En cours',
    discard: /^Supprimer – .*gone/,
    confirmDiscard: 'Supprimer',
    discarded: 'Le brouillon a été supprimé.',
    total: 'en tout',
    many: '10\u202f000',
    failed: 'Votre liste n’a pas pu être lue.',
    statsFailed: 'Les chiffres n’ont pas pu être lus.',
    retry: 'Réessayer',
  },
} as const
type Locale = keyof typeof words

const rows = (page: Page) =>
  page
    .getByRole('main')
    .locator('li')
    .filter({ has: page.locator('[data-status]') })
/** As the list has them, each by the first part of its host. */
const hosts = async (page: Page) =>
  (await rows(page).locator('bdi').allTextContents()).map((url) => url.replace(/^https:\/\/(?:www\.)?/, '').replace(/\..*/, ''))
const someone = async (page: Page, locale: Locale, lastName?: string) =>
  await person(page, locale, `lists-${randomUUID()}@example.org`, lastName)
const shot = async (page: Page, name: string) => await keepPicture(page, `${name}.png`)

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const reports = (owner: string): Listed[] => [
  { owner, status: 'final', url: 'https://delta.example/terms', at: daysAgo(0), label: 'Case 2026/118' },
  { owner, status: 'final', url: 'https://www.alpha.example/offer', at: daysAgo(1) },
  { owner, status: 'final', url: 'https://charlie.example/post/17', at: daysAgo(2), label: 'Appeal', action: 'interactive' },
  { owner, status: 'final', url: 'https://bravo.example/listing', at: daysAgo(70) },
]

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('C-24 C-28 E-28 H-40 X-40: a list is searched as one types, ordered, filtered, labelled, emptied and had back', async ({
      page,
    }) => {
      const say = words[locale]
      const who = await someone(page, locale)
      await listEvidences([
        ...reports(who.id),
        { owner: who.id, status: 'failed', url: 'https://gone.example/', at: daysAgo(0.2) },
        { owner: who.id, status: 'to_validate', url: 'https://look.example/at-me', at: daysAgo(0.1) },
      ])
      await enter(page, who)
      await page.goto(address(`/${locale}/evidences/completed/`))
      await expect(rows(page)).toHaveCount(4)
      expect(await hosts(page)).toEqual(['delta', 'alpha', 'charlie', 'bravo'])
      const total = page.locator('dl > div').filter({ hasText: say.total })
      await expect(total.locator('dd')).toHaveText('4')
      // What is done most is in the row, on a phone too.
      await expect(rows(page).getByRole('button', { name: /^(?:Download|Télécharger) – / })).toHaveCount(4)
      await isClean(page)
      await shot(page, 'completed')

      // As one types; and back is before the search, not before its last letter.
      const search = page.getByRole('searchbox', { name: say.search })
      const sheet = page.getByRole('dialog', { name: say.sheet })
      const find = page.getByRole('button', { name: say.find })
      const fold = async () => {
        if (width !== 360) return
        await sheet.getByRole('button', { name: say.show }).click()
        await expect(sheet).toHaveCount(0)
      }
      const unfold = async () => {
        if (width === 360) await find.click()
      }
      await expect(search).toBeHidden()
      await find.click()
      await expect(search).toBeFocused()
      await search.pressSequentially('ALPHA', { delay: 20 })
      await expect(rows(page)).toHaveCount(1)
      await expect(page.getByText(say.lines(1), { exact: true })).toBeVisible()
      await expect(page).toHaveURL(/search=ALPHA/)
      await page.goBack()
      await expect(rows(page)).toHaveCount(4)
      await expect(search).toHaveValue('')
      await search.fill('nothing of the kind')
      await expect(page.getByRole('heading', { name: say.none })).toBeVisible()
      if (width === 360) await isClean(page)
      await fold()
      await page.getByRole('button', { name: say.showAll }).first().click()
      await expect(rows(page)).toHaveCount(4)

      await unfold()
      await page.getByLabel(say.order, { exact: true }).selectOption(say.byAddress)
      await expect.poll(async () => await hosts(page)).toEqual(['alpha', 'bravo', 'charlie', 'delta'])
      await page.getByLabel(say.kind, { exact: true }).selectOption(say.live)
      await expect(rows(page)).toHaveCount(1)
      await isClean(page)
      await shot(page, 'filtered')
      await fold()
      await page.getByRole('button', { name: say.remove }).click()
      await expect(rows(page)).toHaveCount(4)

      await openRowMenu(page, 'bravo')
      await isClean(page)
      await shot(page, 'menu')
      await page.getByRole('button', { name: say.addLabel }).click()
      const label = page.getByRole('textbox', { name: say.label, exact: true })
      await label.fill('Référence œ 7')
      await expect(label).toBeFocused()
      if (width === 360) await isClean(page)
      await label.press('Enter')
      await expect(page.getByText(say.saved)).toBeVisible()
      await expect(rows(page).filter({ hasText: 'bravo' }).getByRole('link')).toBeFocused()
      await unfold()
      await search.fill('œ 7')
      await expect.poll(async () => await hosts(page)).toEqual(['bravo'])
      await search.fill('')
      await expect(rows(page)).toHaveCount(4)
      await fold()

      await openRowMenu(page, 'delta')
      await page.getByRole('button', { name: say.trash }).click()
      await expect(page.getByText(say.trashed, { exact: true })).toBeVisible()
      await expect(rows(page)).toHaveCount(3)
      await page.getByRole('button', { name: say.undo, exact: true }).click()
      await expect(page.getByText(say.restored, { exact: true })).toBeVisible()
      await expect(rows(page)).toHaveCount(4)

      await page.getByLabel(say.selectPage).check()
      const bar = page.getByRole('region', { name: say.selection })
      await expect(bar.getByText(say.selected(4))).toBeVisible()
      // In a window that has room for all of the page the bar stands where it covers nothing, and nothing is half under the head.
      await page.setViewportSize({ width, height: 2600 })
      await isClean(page)
      await shot(page, 'selected')
      await page.setViewportSize({ width, height: 900 })
      await bar.getByRole('button', { name: say.doTrash }).click()
      await expect(page.getByText(say.emptied)).toBeVisible()
      await expect(page.getByRole('heading', { name: say.empty })).toBeVisible()

      await page.getByRole('link', { name: say.trashTab, exact: true }).click()
      await expect(rows(page)).toHaveCount(4)
      expect(await hosts(page)).toEqual(['delta', 'alpha', 'charlie', 'bravo'])
      // From the first to the third, by the keyboard and the shift key.
      await page.getByLabel(say.select('delta')).focus()
      await page.keyboard.press('Space')
      await page.getByLabel(say.select('charlie')).focus()
      await page.keyboard.press('Shift+Space')
      await expect(bar.getByText(say.selected(3))).toBeVisible()
      if (width === 1280) {
        await page.setViewportSize({ width, height: 2600 })
        await isClean(page)
        await page.setViewportSize({ width, height: 900 })
      }
      await bar.getByRole('button', { name: say.restore }).click()
      await expect(page.getByText(say.backAgain)).toBeVisible()
      await expect(rows(page)).toHaveCount(1)
      await openRowMenu(page, '')
      await page.getByRole('button', { name: say.forGood }).click()
      const dialog = page.getByRole('dialog').last()
      if (width === 1280) await isClean(page)
      await dialog.getByRole('button', { name: say.forGood }).click()
      await expect(page.getByText(say.gone)).toBeVisible()
      await expect(rows(page).getByText(say.filesDeleted, { exact: true })).toBeVisible()
      await expect(rows(page).getByRole('button', { name: say.forGood })).toHaveCount(0)

      await page.getByRole('link', { name: say.pending, exact: true }).click()
      await expect(rows(page)).toHaveCount(2)
      await openRowMenu(page, 'gone')
      await page.getByRole('button', { name: say.discard }).click()
      await dialog.getByRole('button', { name: say.confirmDiscard, exact: true }).click()
      await expect(page.getByText(say.discarded)).toBeVisible()
      await expect.poll(async () => await hosts(page)).toEqual(['look'])
    })

    test('X-40: an account with 10,000 reports: the first and the last of them, and one that is found', async ({ page }) => {
      const say = words[locale]
      const who = await someone(page, locale)
      await fillList(who.id, 10_000)
      await enter(page, who)
      await page.goto(address(`/${locale}/evidences/completed/`))
      await expect(rows(page)).toHaveCount(20)
      expect((await hosts(page)).slice(0, 2)).toEqual(['site-0', 'site-1'])
      const total = page.locator('dl > div').filter({ hasText: say.total })
      await expect(total.locator('dd')).toHaveText(say.many)
      await isClean(page)
      await shot(page, 'ten-thousand')
      await page.goto(address(`/${locale}/evidences/completed/?page=500`))
      await expect.poll(async () => (await hosts(page)).at(-1)).toBe('site-9999')
      await page.getByRole('button', { name: say.find }).click()
      await page.getByRole('searchbox', { name: say.search }).fill('case 7654')
      await expect.poll(async () => await hosts(page)).toEqual(['site-7654'])
      await isClean(page)
    })

    if (width === 1280)
      test('twelve rows are in sight, and the keyboard goes along them, opens and selects; it can be turned off', async ({
        page,
      }) => {
        await page.setViewportSize({ width, height: 800 })
        const say = words[locale]
        const who = await someone(page, locale)
        const long = `${'a'.repeat(190)}/${'ب'.repeat(40)}`
        await listEvidences(
          Array.from({ length: 25 }, (_, i) => ({
            owner: who.id,
            status: 'final' as const,
            url: i === 1 ? `https://row-1.example/${long}` : `https://row-${i}.example/`,
            at: daysAgo(i / 24),
            label: i === 2 ? 'x'.repeat(200) : i === 3 ? 'مرجع القضية' : '',
          })),
        )
        await enter(page, who)
        await page.goto(address(`/${locale}/evidences/completed/`))
        await expect(rows(page)).toHaveCount(20)
        const inSight = await rows(page).evaluateAll(
          (all) => all.filter((each) => each.getBoundingClientRect().bottom <= innerHeight).length,
        )
        expect(inSight).toBeGreaterThanOrEqual(12)
        await isClean(page)
        await shot(page, 'twelve')
        const at = async () => await page.evaluate(() => document.activeElement?.textContent)
        for (const [key, row] of [
          ['j', 0],
          ['j', 1],
          ['ArrowDown', 2],
          ['k', 1],
          ['End', 19],
          ['ArrowUp', 18],
          ['Home', 0],
        ] as const) {
          await page.keyboard.press(key)
          expect(await at()).toContain(`https://row-${row}.example/`)
        }
        await page.keyboard.press('x')
        await page.keyboard.press('j')
        await page.keyboard.press('j')
        await page.keyboard.press('Shift+X')
        const bar = page.getByRole('region', { name: say.selection })
        await expect(bar.getByText(say.selected(3))).toBeVisible()
        await page.keyboard.press('Space')
        await expect(bar.getByText(say.selected(2))).toBeVisible()
        await page.keyboard.press('?')
        const legend = page.getByRole('dialog', { name: say.keys })
        await isClean(page)
        await legend.getByRole('checkbox').uncheck()
        await page.keyboard.press('Escape')
        await expect(legend).toHaveCount(0)
        await page.keyboard.press('k')
        expect(await at()).toContain('https://row-2.example/')
        await page.getByRole('button', { name: say.keys }).click()
        await legend.getByRole('checkbox').check()
        await page.keyboard.press('Escape')
        await page.keyboard.press('/')
        await expect(page.getByRole('searchbox', { name: say.search })).toBeFocused()
        await page.keyboard.type('jx?')
        await expect(page.getByRole('heading', { name: say.none })).toBeVisible()
        await page.goBack()
        await expect(rows(page)).toHaveCount(20)
        await rows(page).first().getByRole('link').focus()
        await page.keyboard.press('Enter')
        await page.waitForURL(`**/${locale}/capture/*/`)
      })

    test('X-21 X-40: what cannot be read says so, and is asked for again', async ({ page }) => {
      const say = words[locale]
      const who = await someone(page, locale)
      await listEvidences(reports(who.id))
      await enter(page, who)
      let broken = true
      await page.route(/\/evidences\/(?:stats\/|\?)/, async (route) => {
        if (broken) await route.fulfill({ status: 400, contentType: 'application/json', body: '{}' })
        else await route.continue()
      })
      await page.goto(address(`/${locale}/evidences/completed/`))
      const alerts = page.getByRole('alert')
      await expect(alerts.filter({ hasText: say.statsFailed })).toBeVisible()
      await expect(alerts.filter({ hasText: say.failed })).toBeVisible()
      if (width === 360) await isClean(page)
      broken = false
      await alerts.filter({ hasText: say.statsFailed }).getByRole('button', { name: say.retry }).click()
      await expect(page.locator('dl > div').filter({ hasText: say.total }).locator('dd')).toHaveText('4')
      await alerts.filter({ hasText: say.failed }).getByRole('button', { name: say.retry }).click()
      await expect(rows(page)).toHaveCount(4)
      // Refused for what was asked: to ask for the same again is of no use.
      broken = true
      await page.getByRole('button', { name: say.find }).click()
      await page.getByRole('searchbox', { name: say.search }).fill('delta')
      if (width === 360) await page.getByRole('dialog').getByRole('button', { name: say.show }).click()
      await expect(alerts.filter({ hasText: say.failed })).toBeVisible()
      broken = false
      await alerts.getByRole('button', { name: say.showAll }).click()
      await expect(rows(page)).toHaveCount(4)
      await expect(alerts.filter({ hasText: say.failed })).toHaveCount(0)
    })
  })

test.describe('for others', () => {
  test.use({
    viewport: { width: 1280, height: 900 },
    locale: 'en',
    contextOptions: { reducedMotion: 'reduce' },
    colorScheme: 'dark',
  })

  test('E-51 E-52 H-23 H-40: who manages a group sees its figures, its members’, and filters by who asked', async ({
    page,
    browser,
  }) => {
    const boss = await someone(page, 'en', 'Hopper')
    const clerk = await someone(page, 'en', 'Clarke')
    await send(page, 'patch', `/profiles/${boss.id}/`, { user_type: 'legal' }, boss)
    const group = String((await send(page, 'post', '/groups/', { name: 'Compiler & Co' }, boss))['id'])
    await joinGroup(clerk.id, group)
    const months = [0, 1].map((back) => monthOf(new Date(), back))
    await listEvidences([
      ...reports(boss.id),
      ...['one', 'two'].map((name) => ({
        owner: clerk.id,
        group,
        status: 'final' as const,
        url: `https://${name}.example/`,
        at: `${months[1]}-10T12:00:00Z`,
      })),
    ])
    await enter(page, boss)
    await page.goto(address('/en/evidences/completed/'))
    await expect(rows(page)).toHaveCount(6)
    await expect(page.getByRole('region', { name: /^Final reports by month/ })).toContainText('Of the group')
    await expect(rows(page).filter({ hasText: 'of Zoë Clarke' })).toHaveCount(2)
    await page.getByText('By member').click()
    await expect(page.getByRole('table').getByRole('row', { name: /^Zoë Clarke/ })).toHaveText('Zoë Clarke022')
    await page.getByRole('button', { name: 'Search and filter' }).click()
    await page.getByLabel('Asked for by', { exact: true }).selectOption('Zoë Clarke')
    await expect(rows(page)).toHaveCount(2)
    await isClean(page)
    await shot(page, 'group')
    await page.goto(address('/en/account/users/'))
    const table = page.getByRole('table')
    await expect(table.getByRole('row', { name: /^Zoë Clarke/ })).toHaveText('Zoë Clarke022')
    await expect(table.getByRole('row', { name: /^The group/ })).toHaveText('The group022')
    await isClean(page)

    // A member sees his own, and nothing of the others.
    const other = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
    const theirs = await other.newPage()
    await enter(theirs, clerk)
    await theirs.goto(address('/en/evidences/completed/'))
    await expect(rows(theirs)).toHaveCount(2)
    await theirs.getByRole('button', { name: 'Search and filter' }).click()
    await expect(theirs.getByLabel('Kind', { exact: true })).toBeVisible()
    await expect(theirs.getByLabel('Asked for by', { exact: true })).toHaveCount(0)
    await other.close()
  })

  test('H-22: a delegate who may read is offered what he may do, and sees for whom he acts in lists, captures and live sessions', async ({
    page,
  }) => {
    const grantor = await someone(page, 'en', 'Byron')
    const delegate = await someone(page, 'en', 'Babbage')
    await listEvidences(reports(grantor.id))
    const ends = new Date(Date.now() + 86_400_000).toISOString()
    const { id } = await send(
      page,
      'post',
      '/profiles/create_access_delegation/',
      { email: delegate.email, scope: 'read', expires_at: ends },
      grantor,
    )
    await enter(page, delegate)
    await page.addInitScript(
      ([user, acting]) => sessionStorage.setItem('probant.acting', `${user} ${acting}`),
      [delegate.id, String(id)],
    )
    const banner = page.getByRole('complementary', { name: 'Acting for somebody else' })
    await page.goto(address('/en/evidences/completed/'))
    await expect(rows(page)).toHaveCount(4)
    await expect(banner).toContainText('Zoë Byron')
    await expect(page.getByRole('button', { name: /^Download – / })).toHaveCount(4)
    await expect(page.getByRole('button', { name: /^More – / })).toHaveCount(0)
    await page.getByLabel('Select this page').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect(bar.getByRole('button')).toHaveText(['Clear the selection', 'Download'])
    await isInView(page, 'Selection')
    await isClean(page)

    await holdEvidence(page, states.to_validate)
    await page.goto(address(`/en/capture/${heldId}/`))
    await expect(page.getByRole('button', { name: 'Agree and get the report' })).toBeVisible()
    await expect(banner).toContainText('Zoë Byron')
    await isClean(page)

    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await playSession(page)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(address(`/en/capture/${heldId}/`))
      await expect(page.locator('canvas')).toBeAttached()
      await expect(banner).toContainText('Zoë Byron')
      // Below the session, and over nothing of it.
      const [live, line] = [await page.locator('[data-full-layout]').boundingBox(), await banner.boundingBox()]
      expect((live?.y ?? 0) + (live?.height ?? 0)).toBeCloseTo(line?.y ?? -1, 0)
      expect((line?.y ?? 0) + (line?.height ?? 0)).toBeCloseTo(800, 0)
      if (width === 360) await isClean(page)
    }
  })
})

/** Nothing stands over it. */
async function isInView(page: Page, region: string): Promise<void> {
  const at = await page.getByRole('region', { name: region }).boundingBox()
  const middle = { x: (at?.x ?? 0) + 10, y: (at?.y ?? 0) + (at?.height ?? 0) / 2 }
  const name = await page.evaluate(
    ({ x, y }) => document.elementFromPoint(x, y)?.closest('section')?.getAttribute('aria-label'),
    middle,
  )
  expect(name).toBe(region)
}

const monthOf = (now: Date, back: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7)
