/** Files as they come: a folder that is dropped, a picture that is pasted, a file that changes meanwhile; and a browser that keeps nothing. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { enter, person, send } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

let folder = ''
// Made for each worker's share of this file: the tests of one are not all done when it is cleared.
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'probant-intake-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))
test.use({
  viewport: { width: 360, height: 780 },
  locale: 'fr',
  colorScheme: 'dark',
  contextOptions: { reducedMotion: 'reduce' },
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const given = (page: Page) => page.getByRole('region', { name: 'Documents fournis' }).getByRole('listitem')

/** As the file manager of the system drops it: only so does a browser give a page the entries of a folder. */
async function drop(page: Page, path: string): Promise<void> {
  const zone = await page.getByText('Déposez ici des documents ou un dossier entier').boundingBox()
  const [x, y] = [(zone?.x ?? 0) + 5, (zone?.y ?? 0) + 5]
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  await session.detach()
}

test('H-43 X-15: a folder is dropped, a picture pasted, a file changes while it is read; nothing can be kept, and all is sent', async ({
  page,
  context,
}) => {
  const dossier = join(folder, 'Affaire n° 7')
  mkdirSync(join(dossier, 'Annexes', 'vide'), { recursive: true })
  writeFileSync(join(dossier, 'contrat.txt'), 'avant')
  writeFileSync(join(dossier, 'Annexes', 'plan.txt'), 'plan')
  await page.addInitScript(() => {
    // As a private window of some browsers has it.
    IDBFactory.prototype.open = () => {
      throw new DOMException('refused', 'SecurityError')
    }
    // Workers hear nothing before the test says so: what is being read stays so as long as it has to.
    const held = Promise.withResolvers<void>()
    class HeldWorker extends Worker {
      override postMessage(message: unknown): void {
        // A worker has no origin to name; the rule is about windows.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        void held.promise.then(() => super.postMessage(message))
      }
    }
    Object.assign(window, { Worker: HeldWorker, release: held.resolve })
  })
  const who = await person(page, 'fr', `intake-${randomUUID()}@example.org`)
  await enter(page, who)
  await page.goto(address('/fr/documents/pending/'))
  await expect(page.getByRole('heading', { name: 'Aucun dépôt en cours' })).toBeVisible()

  await drop(page, dossier)
  await expect(given(page)).toHaveCount(2)
  const contract = given(page).filter({ hasText: 'Affaire n° 7/contrat.txt' })
  await expect(contract.getByText('0 o sur 5 o')).toBeVisible()
  await expect(page.getByText('Rien de lisible n’a été déposé.')).toHaveCount(0)
  await expect(given(page).filter({ hasText: 'Affaire n° 7/Annexes/plan.txt' })).toHaveCount(1)
  writeFileSync(join(dossier, 'contrat.txt'), 'modifié entre-temps')
  await page.evaluate(() => (window as unknown as { release: () => void }).release())
  await expect(page.getByText('1 document n’a pas d’empreinte.')).toBeVisible()
  await expect(contract).toContainText(/Lecture impossible|Modifié pendant la lecture/)
  await isClean(page)
  await keepPicture(page, 'changed.png')
  // What was dropped is looked at anew: it is the file as it is now.
  await contract.getByRole('button', { name: /^Réessayer / }).click()
  await expect(contract.locator('code')).toHaveText(`${sha256('modifié entre-temps').slice(0, 16)}…`)

  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['collé'], 'image.png', { type: 'image/png' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(given(page).filter({ hasText: 'image.png' })).toContainText(sha256('collé').slice(0, 16))
  await expect(page.getByText('3 sur 3 documents')).toBeVisible()
  await expect(page.getByText('Rien de lisible n’a été déposé.')).toHaveCount(0)

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Horodater 3 documents', exact: true }).click()
  await expect(page.getByText('Ce navigateur ne conserve rien')).toBeVisible()
  await isClean(page)
  await keepPicture(page, 'not-lasting.png')
  await context.setOffline(false)
  await expect(page.getByText('3 documents ont été déposés.')).toBeVisible()

  // As many drafts as there may be are there already: one more is refused in words, and dated instead.
  for (let i = 0; i < 5; i += 1) await send(page, 'post', '/documents/', { sha256: sha256(randomUUID()) }, who)
  await page
    .getByRole('main')
    .locator('input[type=file]')
    .first()
    .setInputFiles(join(dossier, 'Annexes', 'plan.txt'))
  await expect(page.getByText(/^Une de ces empreintes a déjà été déposée/)).toBeVisible()
  await page.getByRole('button', { name: 'Garder en brouillon', exact: true }).click()
  const refused = page.getByRole('alert').filter({ hasText: '1 document n’a pas été déposé.' })
  await expect(refused).toContainText('Vous avez 5 brouillons, pour 5 au plus.')
  await isClean(page)
  await keepPicture(page, 'refused.png')
  await refused.getByRole('button', { name: 'Horodater 1 document', exact: true }).click()
  await expect(page.getByText('4 documents ont été déposés.')).toBeVisible()
  await expect(refused).toHaveCount(0)
  await expect(page.getByText('L’un d’eux avait déjà été déposé')).toBeVisible()
})
