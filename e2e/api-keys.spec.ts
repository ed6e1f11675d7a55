/** API keys, in a real browser against the whole product: made after a fresh proof, shown once, used by the command line, revoked. */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { enter, mailTo, password, person, send, type Someone } from './fixtures/accounts.ts'
import { inDatabase } from './fixtures/listed-evidences.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

const look = async (page: Page, name: string) => await keepPicture(page, `${name}.png`)

/** The program itself, on a file of its own. */
async function stampOne(key: string, who: Someone): Promise<{ code: number; files: string[]; sha256: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'probant-key-'))
  try {
    const content = `${who.id} ${randomUUID()}`
    await writeFile(join(folder, 'plan.txt'), content)
    const program = join(import.meta.dirname, '../apps/cli/probant.ts')
    const code = await new Promise<number>((resolve) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PROBANT_API_URL: address('/'), PROBANT_API_KEY: key }
      execFile(process.execPath, [program, 'stamp', 'plan.txt'], { cwd: folder, env }, (error) =>
        resolve(error === null ? 0 : Number(error.code)),
      )
    })
    const files = (await readdir(folder)).filter((name) => !name.startsWith('.'))
    return { code, files, sha256: createHash('sha256').update(content).digest('hex') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test.describe('in English, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('a key is made after a fresh proof, seen once, stamps a file from the command line, and is revoked', async ({ page }) => {
    const who = await person(page, 'en', 'keys@example.org')
    await enter(page, who)
    await page.goto(address('/en/account/api-keys/'))
    await expect(page.getByText('You have no API key.')).toBeVisible()
    await inDatabase((db) =>
      db.query(`update user_session set proven_at = now() - interval '11 minutes' where user_id = $1`, [who.id]),
    )
    await page.getByRole('button', { name: 'Make the key' }).click()
    await expect(page.getByText('Give the key a name')).toBeVisible()
    await look(page, 'empty')
    await page.getByLabel('Name', { exact: true }).fill('Nightly backup')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    const heading = page.getByRole('heading', { name: 'Keep this key now' })
    await expect(heading).toBeFocused()
    const key =
      (await page
        .locator('code')
        .filter({ hasText: /^pbt_\S{49}$/ })
        .textContent()) ?? ''
    await isClean(page)
    await look(page, 'made')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await expect(heading).toHaveCount(0)
    expect(await page.content()).not.toContain(key.slice(8))
    expect(await mailTo(page, who.email, 2)).toContain('An API key was made')

    const { code, files, sha256 } = await stampOne(key, who)
    expect([code, files.toSorted()]).toEqual([0, ['plan.txt', 'plan.txt.ers', 'plan.txt.tsr']])
    const { results } = await send(page, 'get', '/documents/', undefined, who)
    expect(results).toMatchObject([{ sha256, api_key: 'Nightly backup', document_name: 'plan.txt', status: 'final' }])
    await page.reload()
    await expect(page.getByText(/^Last used on .+ from 127\.0\.0\.0\/24/)).toBeVisible()
    await isClean(page)
    await look(page, 'used')

    await page.getByRole('button', { name: 'Revoke – Nightly backup' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('The key opens nothing any more.')).toBeVisible()
    await expect(page.getByText('You have no API key.')).toBeVisible()
    expect((await stampOne(key, who)).code).toBe(4)
  })
})

test.describe('in French, 1280 px, dark', () => {
  test.use({
    viewport: { width: 1280, height: 800 },
    locale: 'fr',
    colorScheme: 'dark',
    contextOptions: { reducedMotion: 'reduce' },
  })

  test('keys are listed with what they may do and when they end; one that expired says so', async ({ page }) => {
    const who = await person(page, 'fr', 'cles@example.org')
    const scopes = ['documents:create', 'documents:read', 'evidences:create', 'evidences:read']
    for (const [name, days] of [
      ['Sauvegarde de nuit', 365],
      ['Relevés', 6],
      ['Ancien poste', 30],
    ] as const)
      await send(page, 'post', '/api_keys/', { name, scopes, days }, who)
    await inDatabase((db) =>
      db.query(
        `update api_key set created_at = now() - interval '40 days', expires_at = now() - interval '10 days', last_used_on = '2026-11-02',
          last_network = '198.51.100.0/24' where user_id = $1 and name = 'Ancien poste'`,
        [who.id],
      ),
    )
    await enter(page, who)
    await page.goto(address('/fr/account/api-keys/'))
    await expect(page.getByText('Expirée', { exact: true })).toBeVisible()
    await expect(page.getByText('Se termine dans 5 jours')).toBeVisible()
    await expect(page.getByText(/Dernière utilisation le 2 novembre 2026 \(UTC\) depuis 198\.51\.100\.0\/24/)).toBeVisible()
    await page.getByLabel('Nom', { exact: true }).fill('Dossier partagé')
    await page.getByRole('button', { name: 'Créer la clé' }).click()
    await expect(page.getByRole('heading', { name: 'Conservez cette clé maintenant' })).toBeFocused()
    await isClean(page)
    await look(page, 'cles')
    await page.getByRole('button', { name: 'Aide', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Avec curl et openssl' })).toBeVisible()
    await isClean(page)
    await look(page, 'aide')
  })
})
