/** fast-check whose draws are of the commit, as those of the sweeps: what fails for one who runs the tests fails for the next, too. */
import { configureGlobal } from 'fast-check'
import { seed } from './sweep.ts'

configureGlobal({ seed })

export * from 'fast-check'
