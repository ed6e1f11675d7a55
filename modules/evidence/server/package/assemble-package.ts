/** From sealed pieces to a package, ready to be streamed: the same for the platform and for the command line. */
import { readFile } from 'node:fs/promises'
import { type PrintAndSignDeps, type ReportInput, makeReadme, printReports } from '../../../report/server/index.ts'
import { coverEntries } from '../../../sealing/server/index.ts'
import type { Piece } from '../../../verification/server/index.ts'
import { type LaidOutEntry, type PackageLayout, layOutPackage } from './lay-out.ts'

export type SealedCapture = Omit<ReportInput, 'pieces'> & {
  /** Of the manifest, in its order. */
  readonly pieces: readonly (Piece & LaidOutEntry)[]
  /** `manifest.json` and `seal/…`. */
  readonly sealedFiles: readonly { readonly path: string; readonly media_type: string; readonly bytes: Uint8Array }[]
}

export type AssembleDeps = PrintAndSignDeps & {
  /** Built `verify.html`. */
  readonly verifyHtmlFile: string
}

/** @throws DomainError of the sealing module; what printing throws. Nothing is kept when it fails. */
export async function assemblePackage(capture: SealedCapture, deps: AssembleDeps): Promise<PackageLayout> {
  const { timestampers, signal } = deps
  const reports = await printReports(capture, deps)
  return await layOutPackage(
    {
      sealedFiles: capture.sealedFiles,
      reports,
      verifyHtml: await readFile(deps.verifyHtmlFile),
      readme: makeReadme(capture),
      pieces: capture.pieces,
    },
    { coverEntries: async (input) => await coverEntries(input, { timestampers, signal }) },
  )
}
