/** Capture servers: the product registers its own, captures on the one that is asked for, and says in words why somebody waits. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { CaptureServer } from '../modules/capture/contract/servers.ts'
import { agree, downloadPackage, waitFor } from './fixtures/evidence-client.ts'
import { phase } from './fixtures/evidence.ts'
import { address, heldId, holdEvidence, isClean, states, test } from './fixtures/pages.ts'
import { verifyByCommand } from './fixtures/verify-package.ts'

async function listed(query = ''): Promise<readonly CaptureServer[]> {
  return ((await (await fetch(address(`/servers/${query}`))).json()) as { results: CaptureServer[] }).results
}

test('C-59 H-17 H-11 the product is a capture server; a capture that asks for it carries its manifest and preflight', async () => {
  await expect.poll(async () => (await listed('?status=ready')).length, { timeout: 60_000 }).toBe(1)
  const [server] = await listed()
  expect(server).toMatchObject({ kind: 'public', status: 'ready', last_preflight: { result: 'matched' } })
  expect(server?.image_digest).toMatch(/^[0-9a-f]{64}$/)
  expect(server?.browser).toMatch(/^Chromium \d+\./)
  const ask = async (id: string) =>
    await fetch(address('/evidences/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${process.env['PROBANT_E2E_SITE'] ?? ''}/page`, action: 'static', locale: 'en', server: id }),
    })
  expect((await ask('no-such-server')).status).toBe(400)
  const answer = (await (await ask(server?.id ?? '')).json()) as { evidence: { id: string }; evidence_token: string }
  const held = { id: answer.evidence.id, token: answer.evidence_token }
  const origin = address('')
  expect((await waitFor(origin, held, ['to_validate', 'failed'])).status).toBe('to_validate')
  await agree(origin, held)
  await waitFor(origin, held, ['final'])
  const folder = mkdtempSync(join(tmpdir(), 'probant-servers-'))
  try {
    const zip = join(folder, 'package.zip')
    writeFileSync(zip, await downloadPackage(origin, held))
    execFileSync('unzip', ['-q', zip, 'environment/*', '-d', folder])
    const manifest = readFileSync(join(folder, 'environment/server-manifest.json'))
    const preflight = JSON.parse(readFileSync(join(folder, 'environment/preflight.json'), 'utf8')) as Record<string, object>
    expect(createHash('sha256').update(manifest).digest('hex')).toBe(server?.manifest_sha256)
    expect(preflight).toMatchObject({
      server: { id: server?.id, stated_by: 'operator' },
      manifest: { sha256: server?.manifest_sha256 },
      differences: [],
      measured: { items: { image_digest: server?.image_digest, proxy: 'none' } },
    })
    // Exit code 0: every check passed, these pieces among them.
    const verified = verifyByCommand(zip, '--json')
    expect(verified.status, verified.stdout).toBe(0)
    // The capture process holds no key: what it had dated, the worker dated for it.
    const { checks } = JSON.parse(verified.stdout) as { checks: { id: string; status: string }[] }
    expect(checks).toContainEqual(expect.objectContaining({ id: 'session_timestamp', status: 'passed' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

for (const [locale, words] of Object.entries({
  en: {
    queue: 'Number 3 in line',
    starting: 'A capture server is starting',
    mismatch: 'A capture server was not in its pinned state and was set aside; waiting for one that is',
    lost: 'The capture server that was chosen does not answer; waiting for it to come back',
  },
  fr: {
    queue: 'Rang 3 dans la file',
    starting: 'Un serveur de capture démarre',
    mismatch: 'Un serveur de capture n’était pas dans son état de référence et a été mis à l’écart\u202f; en attente d’un autre',
    lost: 'Le serveur de capture choisi ne répond pas\u202f; en attente de son retour',
  },
})) {
  test(`S-32 S-33 H-11 why a capture waits, in words (${locale})`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const waiting = (reason: keyof typeof words) => ({
      ...states.queued,
      phase: phase('waiting_environment', { reason, queue_position: 3 }),
    })
    await holdEvidence(page, waiting('queue'))
    const event = (id: number, evidence: unknown) => `id: ${String(id)}\nevent: evidence\ndata: ${JSON.stringify(evidence)}\n\n`
    for (const reason of ['queue', 'starting', 'mismatch', 'lost'] as const) {
      await page.unroute(`**/evidences/${heldId}/`)
      await page.route(`**/evidences/${heldId}/`, (route) => route.fulfill({ json: waiting(reason) }))
      await page.goto(address(`/${locale}/capture/${heldId}/`))
      await expect(page.getByText(words[reason], { exact: true })).toBeVisible()
      if (reason === 'mismatch') await isClean(page)
    }
    await page.unroute(`**/evidences/${heldId}/events/`)
    const pending = { ...states.queued, status: 'preparing', phase: phase('pending', { step: 'preflight' }) }
    await page.route(`**/evidences/${heldId}/events/`, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: event(2, pending) }),
    )
    await page.goto(address(`/${locale}/capture/${heldId}/`))
    const checking = {
      en: 'Checking the capture server against its manifest',
      fr: 'Contrôle du serveur de capture d’après son manifeste',
    }
    await expect(page.getByText(checking[locale as 'en' | 'fr'])).toBeVisible()
  })
}
