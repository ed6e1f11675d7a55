import type { CaptureFacts } from '../../capture/server/index.ts'

/** A whole and plausible record for tests that store and show facts. */
export const sampleFacts: CaptureFacts = {
  requested_url: 'https://example.org/',
  final_url: 'https://example.org/',
  title: 'Example',
  http_status: 200,
  started_at: '2026-11-21T10:00:00.000Z',
  navigated_at: '2026-11-21T10:00:01.000Z',
  finished_at: '2026-11-21T10:00:09.000Z',
  viewport: { width: 1280, height: 800, device_scale_factor: 1 },
  page_height: 2400,
  captured_height: 2400,
  images: [{ path: 'capture/viewport.png', kind: 'viewport', width: 1280, height: 800, index: 0 }],
  resources: { total: 3, failed: 0, blocked: 0, bytes: 4096 },
  redirects: [],
  server_address: '93.184.215.14',
  certificate: null,
  machine: {
    hostname: 'capture-1',
    os: 'Debian GNU/Linux 12',
    kernel: '6.1.0',
    browser: 'Chromium 156.0.8078.79',
    node: '26.9.0',
    software: 'probant/0.1.0',
    virtualisation: null,
  },
  allowed_addresses_used: [],
  isolation: 'namespaces',
  checklist: [{ id: 'start_time', result: 'pass', data: { at: '2026-11-21T10:00:00.000Z' }, evidence_path: null }],
  warnings: [],
  completeness: { state: 'complete', losses: [] },
}
