/**
 * graphile-worker, as if the process had been started at `/`: while it is loaded it looks for a configuration where the process was started, runs what
 * it finds, and fails where it may not look, as in /root for a command that another user is lent.
 */
import { createRequire } from 'node:module'
import type * as QueueLibrary from 'graphile-worker'

const require = createRequire(import.meta.url)

function load(): typeof QueueLibrary {
  const cwd = process.cwd.bind(process)
  process.cwd = () => '/'
  try {
    return require('graphile-worker') as typeof QueueLibrary
  } finally {
    process.cwd = cwd
  }
}

export const queueLibrary = load()
