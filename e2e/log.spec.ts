/** A seal of the whole product in its public log: on the page, and by a program that is not ours from the served files alone. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { agree, createEvidence, downloadPackage, waitFor } from './fixtures/evidence-client.ts'
import { address, isClean, test } from './fixtures/pages.ts'

test('an evidence is found in the log from its package, and an altered package is not', async ({ page }) => {
  const origin = new URL(address('/')).origin
  const held = await createEvidence(origin, `${process.env['PROBANT_E2E_SITE'] ?? ''}/page`)
  await waitFor(origin, held, ['to_validate'])
  await agree(origin, held)
  await waitFor(origin, held, ['final'])
  const zip = Buffer.from(await downloadPackage(origin, held))

  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || request.postData() !== null) asked.push(`${request.method()} ${request.url()}`)
  })
  await page.goto(address('/en/log/'))
  const input = page.locator('input[type=file]').first()
  await input.setInputFiles({ name: 'package.zip', mimeType: 'application/zip', buffer: zip })
  await expect(page.locator('[data-outcome="holds"]')).toBeVisible({ timeout: 60_000 })
  await isClean(page)
  expect(asked).toEqual([])

  const folder = mkdtempSync(join(tmpdir(), 'probant-log-'))
  try {
    writeFileSync(join(folder, 'package.zip'), zip)
    execFileSync('unzip', ['-q', join(folder, 'package.zip'), 'seal/*', '-d', folder])
    const keys = (await (await fetch(`${origin}/.well-known/probant-keys.json`)).json()) as { log: { id: string }[] }
    const vkey = keys.log.at(-1)?.id ?? ''
    const seal = (name: string) => join(folder, 'seal', name)
    const oracle = ['e2e/oracles/check_log.py', seal('log-proof.txt'), seal('root.bin'), vkey, '--tiles', `${origin}/log`]
    expect(execFileSync('python3', oracle, { encoding: 'utf8' })).toMatch(/^entry \d+ of \d+\n/)

    const root = execFileSync('cat', [seal('root.bin')])
    const altered = Buffer.from(zip)
    const at = altered.indexOf(root)
    expect(at).toBeGreaterThan(0)
    altered[at] = (altered[at] ?? 0) ^ 1
    await input.setInputFiles({ name: 'altered.zip', mimeType: 'application/zip', buffer: altered })
    await expect(page.locator('[data-outcome="failed"]')).toBeVisible({ timeout: 60_000 })
    await isClean(page)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
