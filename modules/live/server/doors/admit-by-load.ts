import { availableParallelism, loadavg } from 'node:os'

/**
 * Whether a machine bears one more session: by its measured load, the mean number of processes that run or want to over the last
 * minute, per core. The first session of a process is always let in: whatever else keeps the machine busy, a visitor does not wait
 * for ever (decision 0222).
 */
export function admitByLoad(
  maxPerCore: number,
  measure: () => { readonly load: number; readonly cores: number } = () => ({
    load: loadavg()[0] ?? 0,
    cores: availableParallelism(),
  }),
): (running: number) => boolean {
  return (running) => {
    if (running === 0) return true
    const { load, cores } = measure()
    return load / cores <= maxPerCore
  }
}
