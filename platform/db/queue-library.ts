/**
 * graphile-worker, as if the process had been started at `/`: while it is loaded it looks for a configuration where the process was started, runs what
 * it finds, and fails where it may not look, as in /root for a command that another user is lent.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

function load(): typeof import('graphile-worker') {
  const { cwd } = process
  process.cwd = () => '/'
  try {
    return require('graphile-worker') as typeof import('graphile-worker')
  } finally {
    process.cwd = cwd
  }
}

export const queueLibrary = load()
