/** What comes out of a printer: what a page says, black on white, whole, and nothing of what leads elsewhere or is pressed. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { heldDeposit, holdDocuments } from './fixtures/documents.ts'
import { saleOf } from './fixtures/licence.ts'
import { heldInvoice, holdMoney, test } from './fixtures/money.ts'
import { address, heldId, holdEvidence, states } from './fixtures/pages.ts'

type Sheet = {
  readonly name: string
  readonly path: string
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Something that it says, far down. */
  readonly says: Readonly<Record<'en' | 'fr', RegExp>>
}

const saleToken = 'a'.repeat(43)
const sheets: readonly Sheet[] = [
  { name: 'terms', path: '/legal/terms/', says: { en: /What is kept/, fr: /Ce qui est conservé/ } },
  // The links of its texts are followed by where they lead.
  { name: 'guide', path: '/guide/', says: { en: /Without an account/, fr: /Sans compte/ } },
  { name: 'keys', path: '/keys/', says: { en: /Seal of the platform/, fr: /Sceau de la plateforme/ } },
  {
    name: 'invoice',
    path: `/account/invoice/${heldInvoice}/`,
    prepare: async (page) => await holdMoney(page, {}),
    says: { en: /F2026-/, fr: /F2026-/ },
  },
  {
    name: 'evidence',
    path: `/capture/${heldId}/`,
    prepare: async (page) => await holdEvidence(page, states.final),
    // Folded away on the screen.
    says: { en: /alice\.btc\.calendar/, fr: /alice\.btc\.calendar/ },
  },
  {
    name: 'deposit',
    path: `/documents/deposit/${heldDeposit}/`,
    prepare: holdDocuments,
    says: { en: /SHA-512/, fr: /SHA-512/ },
  },
  {
    name: 'sale',
    path: `/sale/${saleToken}/`,
    prepare: async (page) => await page.route('**/sales/*/', (route) => route.fulfill({ json: saleOf(null) })),
    says: { en: /example/, fr: /example/ },
  },
]

for (const locale of ['en', 'fr'] as const)
  test.describe(`printed, ${locale}`, () => {
    // From a dark screen.
    test.use({ viewport: { width: 1280, height: 900 }, locale, colorScheme: 'dark', contextOptions: { reducedMotion: 'reduce' } })

    test('texts, lists, an invoice, an evidence, a deposit and a sale: the page without its frame', async ({ page }) => {
      for (const { name, path, prepare, says } of sheets) {
        const shown = await page.context().newPage()
        await prepare?.(shown)
        await shown.goto(address(`/${locale}${path}`))
        const heading = shown.locator('h1').first()
        await expect(heading, name).toBeVisible()
        await expect(shown.getByRole('main'), name).toContainText(says[locale])
        // The application has taken the place of the page that was sent, and its pictures are there.
        await expect(shown.locator('main button[inert]'), name).toHaveCount(0)
        await expect
          .poll(
            async () =>
              await shown
                .locator('img')
                .evaluateAll((all) =>
                  all.every((each) => each instanceof HTMLImageElement && (each.complete || each.loading === 'lazy')),
                ),
          )
          .toBe(true)
        const title = (await heading.innerText()).replaceAll(/\s+/g, ' ')
        const pdf = await shown.pdf({ preferCSSPageSize: true })
        const file = test.info().outputPath(`${name}.pdf`)
        writeFileSync(file, pdf)
        const text = execFileSync('pdftotext', ['-layout', file, '-']).toString().replaceAll(/\s+/g, ' ')
        expect(text, name).toContain(title)
        expect(text, name).toMatch(says[locale])
        expect(text, name).not.toMatch(
          /How do you want to pay|Comment souhaitez-vous payer|First name of|Prénom du|Everything below|All deposits|Tous les dépôts/,
        )
        expect(text, name).not.toMatch(/New capture|Nouvelle capture|Cookies and storage|Cookies et stockage|© 20/)

        await shown.emulateMedia({ media: 'print', colorScheme: 'dark' })
        const drawn = async () =>
          await shown.evaluate(() => {
            const { color, backgroundColor } = getComputedStyle(document.documentElement)
            const pressed = [...document.querySelectorAll('nav, button, dialog')].filter((each) => each.checkVisibility())
            return { color, backgroundColor, pressed: pressed.length }
          })
        await expect.poll(drawn, name).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)', pressed: 0 })
        await shown.close()
      }
    })
  })
