/** Dedicated servers: an administrator gives one to a group by the keyboard, takes it away and back; who waited is told; in a real browser against the whole product. */
import { expect, type Page } from '@playwright/test'
import type { CaptureServer } from '../modules/capture/contract/servers.ts'
import { enter, person, send, type Someone } from './fixtures/accounts.ts'
import { inDatabase } from './fixtures/listed-evidences.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'
import { administrator } from './fixtures/staff.ts'

const words = {
  en: {
    title: 'Capture servers',
    kind: 'Kind',
    dedicated: 'Dedicated',
    nobodys: 'Dedicated to nobody: nobody may ask for it.',
    assign: 'Dedicate it to a group',
    search: 'Name of the group, or its owner’s name or address',
    choose: 'Choose a group',
    confirm: (group: string) => `Dedicate it to ${group}`,
    done: (server: string, group: string) => `${server} is dedicated to ${group}.`,
    of: (group: string) => `Dedicated to ${group}`,
    waiting: '1 capture waits for it by name',
    take: 'Take it from the group',
    taken: (server: string, group: string) =>
      `${server} was taken from ${group}. 1 capture that waited for it has ended with an error.`,
    undo: 'Undo',
    withdrawn: /The dedicated server that this capture asked for is no longer your group’s to choose/,
    act: 'Took a capture server from its group',
    drain: 'Drain',
    drained: 'Takes nothing new since',
    resume: 'Take captures again',
    remove: 'Remove',
    removed: (server: string) => `${server} was removed. 1 capture that waited for it has ended with an error.`,
    add: 'Add a machine',
    shut: 'Done',
    processes: 'Processes',
    removal: 'Removed a capture server',
  },
  fr: {
    title: 'Serveurs de capture',
    kind: 'Type',
    dedicated: 'Dédié',
    nobodys: 'Dédié à personne\u202f: personne ne peut le demander.',
    assign: 'Le dédier à un groupe',
    search: 'Nom du groupe, ou nom ou adresse de son propriétaire',
    choose: 'Choisissez un groupe',
    confirm: (group: string) => `Le dédier à ${group}`,
    done: (server: string, group: string) => `${server} est dédié à ${group}.`,
    of: (group: string) => `Dédié à ${group}`,
    waiting: '1 capture l’attend nommément',
    take: 'Le retirer au groupe',
    taken: (server: string, group: string) =>
      `${server} a été retiré à ${group}. 1 capture qui l’attendait a pris fin avec une erreur.`,
    undo: 'Annuler',
    withdrawn: /Le serveur dédié demandé pour cette capture n’est plus à la disposition de votre groupe/,
    act: 'Serveur de capture retiré à son groupe',
    drain: 'Mettre en retrait',
    drained: 'Ne prend rien de nouveau depuis',
    resume: 'Reprendre les captures',
    remove: 'Retirer',
    removed: (server: string) => `${server} a été retiré. 1 capture qui l’attendait a pris fin avec une erreur.`,
    add: 'Ajouter une machine',
    shut: 'Terminé',
    processes: 'Processus',
    removal: 'Serveur de capture retiré de l’installation',
  },
} as const

/** A dedicated server of this installation as its process registers it, and stands ready; what asks for it waits, as nobody takes it. */
async function haveDedicated(id: string, name: string): Promise<void> {
  await inDatabase(async (client) => {
    await client.query(
      `insert into capture_server (id, name, country, city, kind, manifest_sha256, image_digest, browser, public_address, preflight_at, preflight_matched)
       values ($1, $2, 'CA', 'Montréal', 'dedicated', repeat('ab', 32), repeat('cd', 32), 'Chromium 156.0.8078.79', '192.0.2.17', now(), true)`,
      [id, name],
    )
    await client.query(
      `insert into capture_process (owner, server_id, capacity, interactive_capacity, status, alive_until)
       values ('process of ' || $1, $1, 4, 2, 'ready', now() + interval '1 hour')`,
      [id],
    )
  })
}

const mayChoose = async (page: Page, who: Someone): Promise<string[]> => {
  const { results } = await send(page, 'get', '/servers/?kind=dedicated', undefined, who)
  return (results as CaptureServer[]).map(({ id }) => id)
}

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test(`H-17 an administrator dedicates a server to a group, and takes it back (${locale}, ${width} px)`, async ({
    page,
    browser,
  }) => {
    const say = words[locale]
    const tag = `${locale}${String(Date.now()).slice(-6)}`
    const [serverId, serverName, company] = [`fixed-${tag}`, `Adresse fixe ${tag}`, `Étude Moreau & Associés ${tag}`]
    await haveDedicated(serverId, serverName)
    const boss = await administrator(page, locale, `boss.${tag}@example.org`)
    const member = await person(page, locale, `moreau.${tag}@example.org`, 'Moreau')
    await send(page, 'patch', `/profiles/${member.id}/`, { user_type: 'legal', country: 'FR' }, member)
    await send(page, 'post', '/groups/', { name: company }, member)
    expect(await mayChoose(page, member)).toEqual([])

    const desk = await (await browser.newContext({ viewport: { width, height: 900 }, locale })).newPage()
    await enter(desk, boss)
    await desk.goto(address(`/${locale}/admin/servers/`))
    await expect(desk.getByRole('heading', { level: 1, name: say.title })).toBeVisible()
    await isClean(desk)
    await keepPicture(desk, `all-${locale}-${String(width)}.png`)
    await desk.getByRole('searchbox').fill(serverName)
    await desk.getByLabel(say.kind, { exact: true }).selectOption('dedicated')
    await expect(desk).toHaveURL(/kind=dedicated/)
    const card = desk.getByRole('article', { name: serverName })
    await expect(card).toBeVisible()
    await expect(desk.getByRole('article')).toHaveCount(1)
    await expect(card.getByText(say.nobodys)).toBeVisible()
    await isClean(desk)
    for (const at of [360, 1280]) {
      await desk.setViewportSize({ width: at, height: 900 })
      await keepPicture(desk, `nobodys-${locale}-${String(at)}.png`)
    }
    await desk.setViewportSize({ width, height: 900 })

    // By the keyboard alone.
    await card.getByRole('button', { name: say.assign }).focus()
    await desk.keyboard.press('Enter')
    const dialog = desk.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: say.choose })).toBeDisabled()
    await dialog.getByLabel(say.search).focus()
    await desk.keyboard.type(`moreau ${tag}`)
    await expect(dialog.getByRole('radio')).toHaveCount(1)
    await isClean(desk)
    for (const at of [360, 1280]) {
      await desk.setViewportSize({ width: at, height: 900 })
      await keepPicture(desk, `choose-${locale}-${String(at)}.png`)
    }
    await desk.setViewportSize({ width, height: 900 })
    await desk.keyboard.press('Tab')
    await desk.keyboard.press('Space')
    await expect(dialog.getByRole('radio')).toBeChecked()
    await desk.keyboard.press('Enter')
    await expect(desk.getByText(say.done(serverName, company))).toBeVisible()
    await expect(card.getByText(say.of(company))).toBeVisible()
    expect(await mayChoose(page, member)).toEqual([serverId])

    // A member's capture waits for it, when it is taken away.
    const asked = { url: `${process.env['PROBANT_E2E_SITE'] ?? ''}/page`, action: 'static', locale, server: serverId }
    const { evidence } = (await send(page, 'post', '/evidences/', asked, member)) as { evidence: { id: string } }
    await desk.reload()
    await expect(card.getByText(say.waiting)).toBeVisible()
    await isClean(desk)
    for (const at of [360, 1280]) {
      await desk.setViewportSize({ width: at, height: 900 })
      await keepPicture(desk, `assigned-${locale}-${String(at)}.png`)
    }
    await desk.setViewportSize({ width, height: 900 })
    await card.getByRole('button', { name: say.take }).click()
    await isClean(desk)
    await keepPicture(desk, `take-${locale}-${String(width)}.png`)
    await dialog.getByRole('button', { name: say.take }).click()
    const notice = desk.getByText(say.taken(serverName, company))
    await expect(notice).toBeVisible()
    await expect(card.getByText(say.nobodys)).toBeVisible()
    expect(await mayChoose(page, member)).toEqual([])

    await enter(page, member)
    await page.setViewportSize({ width, height: 900 })
    await page.goto(address(`/${locale}/capture/${evidence.id}/`))
    await expect(page.getByText(say.withdrawn)).toBeVisible()
    // The same again would be refused.
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await keepPicture(page, `withdrawn-${locale}-${String(width)}.png`)

    await desk.getByRole('button', { name: say.undo }).click()
    await expect(card.getByText(say.of(company))).toBeVisible()
    expect(await mayChoose(page, member)).toEqual([serverId])
    await desk.goto(address(`/${locale}/admin/acts/?action=capture.unassigned_server&subject=${serverId}`))
    await expect(desk.getByRole('listitem').filter({ hasText: say.act })).toHaveCount(1)
    await keepPicture(desk, `acts-${locale}-${String(width)}.png`)
    // To whoever is not of the staff there is no such page.
    const refused = await page.request.get(address('/admin/servers/'), { headers: { authorization: `Bearer ${member.token}` } })
    expect(refused.status()).toBe(404)
  })

for (const [locale, width] of [
  ['en', 1280],
  ['fr', 360],
] as const)
  test(`an administrator adds a machine, drains one, undoes it and removes it (${locale}, ${String(width)} px)`, async ({
    page,
    browser,
  }) => {
    const say = words[locale]
    const tag = `m${locale}${String(Date.now()).slice(-6)}`
    const [serverId, serverName] = [`rack-${tag}`, `Baie ${tag}`]
    await haveDedicated(serverId, serverName)
    const boss = await administrator(page, locale, `boss.${tag}@example.org`)
    const member = await person(page, locale, `duval.${tag}@example.org`, 'Duval')
    await send(page, 'patch', `/profiles/${member.id}/`, { user_type: 'legal', country: 'FR' }, member)
    const { id: groupId } = (await send(page, 'post', '/groups/', { name: `Duval ${tag}` }, member)) as { id: string }
    await inDatabase(
      async (client) => await client.query('update capture_server set owner_group = $2 where id = $1', [serverId, groupId]),
    )
    const asked = { url: `${process.env['PROBANT_E2E_SITE'] ?? ''}/page`, action: 'static', locale, server: serverId }
    await send(page, 'post', '/evidences/', asked, member)

    const desk = await (await browser.newContext({ viewport: { width, height: 900 }, locale })).newPage()
    await enter(desk, boss)
    await desk.goto(address(`/${locale}/admin/servers/`))
    const list = desk.getByRole('list', { name: say.processes })
    await expect(list.getByRole('listitem').filter({ hasText: 'Capture' })).not.toHaveCount(0)
    await desk.getByRole('button', { name: say.add }).click()
    const dialog = desk.getByRole('dialog')
    await expect(dialog.getByText(/npx probant server join [\w-]{43}$/)).toBeVisible()
    await isClean(desk)
    await keepPicture(desk, `add-machine-${locale}-${String(width)}.png`)
    await dialog.getByRole('button', { name: say.shut }).click()
    await desk.getByRole('searchbox').fill(serverName)
    const card = desk.getByRole('article', { name: serverName })
    await expect(desk.getByRole('article')).toHaveCount(1)
    await card.getByRole('button', { name: say.drain, exact: true }).focus()
    await desk.keyboard.press('Enter')
    await expect(card.getByText(say.drained)).toBeVisible()
    await isClean(desk)
    for (const at of [360, 1280]) {
      await desk.setViewportSize({ width: at, height: 900 })
      await keepPicture(desk, `drained-${locale}-${String(at)}.png`)
    }
    await desk.setViewportSize({ width, height: 900 })
    await card.getByRole('button', { name: say.resume }).click()
    await expect(card.getByText(say.drained)).toHaveCount(0)
    await card.getByRole('button', { name: say.remove, exact: true }).click()
    await isClean(desk)
    await keepPicture(desk, `remove-${locale}-${String(width)}.png`)
    await dialog.getByRole('button', { name: say.remove, exact: true }).click()
    await expect(desk.getByText(say.removed(serverName))).toBeVisible()
    await expect(desk.getByRole('article')).toHaveCount(0)
    await keepPicture(desk, `none-${locale}-${String(width)}.png`)
    await desk.goto(address(`/${locale}/admin/acts/?action=capture.removed_server&subject=${serverId}`))
    await expect(desk.getByRole('listitem').filter({ hasText: say.removal })).toHaveCount(1)
  })
