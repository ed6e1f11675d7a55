import { verifyPackage } from '../modules/verification/server/index.ts'
import type { PackageSource, VerificationReport, VerifyDeps } from '../modules/verification/server/index.ts'

/** SHA-256 of every authority that a package rests on: what its reader compares with what their operators publish. */
export async function fingerprintsOf(source: PackageSource, deps: VerifyDeps): Promise<readonly string[]> {
  return (await verifyPackage(source, deps)).authorities.map(({ sha256 }) => sha256)
}

/** As by a reader who did. */
export async function verifyCompared(source: PackageSource, deps: VerifyDeps): Promise<VerificationReport> {
  return await verifyPackage(source, { ...deps, fingerprints: await fingerprintsOf(source, deps) })
}
