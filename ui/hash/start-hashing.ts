import { mostHeld } from './hash-blob.ts'
import { makeHashPool, type HashPool, type HashWorker } from './hash-pool.ts'

const startWorker = (): HashWorker => new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' })

/** The workers of this page, started when it is opened: what was loaded once hashes without a network. */
export function startHashing(): HashPool {
  const { deviceMemory } = navigator as { readonly deviceMemory?: number }
  return makeHashPool(startWorker, mostHeld(deviceMemory))
}
