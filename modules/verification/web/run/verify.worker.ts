import { conclude, partsOf } from '../../domain/dossier/concluded/conclude.ts'
import { verifyDossier } from '../../domain/dossier/dossier.ts'
import type { Dossier } from '../../domain/dossier/dossier.ts'
import type { DossierItem } from '../../domain/dossier/dropped/item.ts'
import { givenHeaders, readHeaders } from '../../domain/known/known-headers.ts'
import type { VerifyDeps } from '../../domain/known/verify-deps.ts'
import type { ProofReport } from '../../domain/report/proof-report.ts'
import type { ItemKind } from '../../domain/recognise/recognise.ts'
import { readFacts } from '../../domain/known/read-facts.ts'
import { readFingerprints } from '../../domain/known/read-fingerprints.ts'
import { verifyForm } from '../../domain/proof/verify-form.ts'
import type { FormInput } from '../../domain/proof/verify-form.ts'
import type { ReaderFields } from '../../domain/proof/verifiers.ts'
import { hostHashes } from './host-hashes.ts'
import type { PlatformFacts } from './platform-facts.ts'
import { readBlob } from './read-blob.ts'
import { fileOfBlob } from './read-files.ts'
import type { GivenFile } from './read-files.ts'

/** What the reader got from elsewhere: roots in PEM, block headers as text; both were looked at before they came here. */
export type KnownFields = ReaderFields & { readonly trust?: string; readonly headers?: string; readonly fingerprint?: string }
export type VerifyRequest = (
  | { readonly kind: 'dossier'; readonly files: readonly GivenFile[] }
  | { readonly kind: 'form'; readonly input: FormInput }
) & {
  readonly fields: KnownFields
  readonly facts: PlatformFacts
  /** Milliseconds by which the server's clock is ahead of this browser's, which may be wrong by days. */
  readonly ahead: number
}

export type ItemGlance = { readonly name: string; readonly size: number; readonly kind: ItemKind }
export type VerifyAnswer =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'item'; readonly index: number; readonly item: ItemGlance }
  /** `heights`: of the blocks whose headers a proof needs. */
  | { readonly kind: 'dossier'; readonly dossier: Dossier; readonly heights: readonly number[] }
  | { readonly kind: 'failed'; readonly message: string }

function answer(message: VerifyAnswer): void {
  const worker = self as unknown as { postMessage(message: VerifyAnswer): void }
  // A worker has no origin to name; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message)
}

async function verify(request: VerifyRequest): Promise<VerifyAnswer> {
  const { trust, headers, fingerprint, ...fields } = request.fields
  const fingerprints = readFingerprints(fingerprint ?? '') ?? []
  const heights = new Set<number>()
  const { sha256, hashes } = await hostHashes()
  let told = 0
  const deps: VerifyDeps = {
    now: () => new Date(Date.now() + request.ahead),
    ...(sha256 === undefined ? {} : { sha256 }),
    hashes,
    ...(trust === undefined ? {} : { trust: new TextEncoder().encode(trust) }),
    fingerprints,
    ...readFacts(request.facts),
    headers: givenHeaders(readHeaders(headers ?? '') ?? [], (height) => heights.add(height)),
    onProgress: (done, total) => {
      if (done - told < total / 200 && done !== total) return
      told = done
      answer({ kind: 'progress', done, total })
    },
  }
  const dossier =
    request.kind === 'form'
      ? dossierOf(request.input, await verifyForm(request.input, deps), fingerprints)
      : await verifyDossier(
          request.files.map(({ path, file }) => fileOfBlob(path, file, readBlob(file))),
          { ...deps, fields, onItem: (index, item) => answer({ kind: 'item', index, item }) },
        )
  return { kind: 'dossier', dossier, heights: [...heights] }
}

/** What was typed is one item among none. */
function dossierOf(input: FormInput, report: ProofReport, fingerprints: readonly string[]): Dossier {
  const size = new TextEncoder().encode('text' in input ? input.text : 'message' in input ? input.message : input.proof).length
  const item: DossierItem = { name: '', size, kind: report.kind, result: { form: 'proof', report }, bound: report.bound }
  const conclusion = conclude([partsOf({ items: [item], answers: [] })], { fingerprints })
  return {
    verified_at: report.verified_at,
    items: [item],
    links: [],
    answers: [],
    many: null,
    conclusion,
    verdict: conclusion.verdict,
    left_out: 0,
  }
}

/** Apart from the page, so that a hostile or huge file can be stopped by ending the worker. */
self.addEventListener('message', (event: MessageEvent<VerifyRequest>) => {
  verify(event.data).then(answer, (error: unknown) =>
    answer({ kind: 'failed', message: error instanceof Error ? error.message : 'unknown' }),
  )
})
