import chainpoint from './chainpoint.en.json' with { type: 'json' }
import opentimestamps from './opentimestamps.en.json' with { type: 'json' }
import cms from './cms.en.json' with { type: 'json' }
import xades from './xades.en.json' with { type: 'json' }
import timestamp from './timestamp.en.json' with { type: 'json' }
import evidenceRecord from './evidence-record.en.json' with { type: 'json' }
import digest from './digest.en.json' with { type: 'json' }
import checkpoint from './checkpoint.en.json' with { type: 'json' }
import logProof from './log-proof.en.json' with { type: 'json' }
import bitcoinMessage from './bitcoin-message.en.json' with { type: 'json' }
import nanoMessage from './nano-message.en.json' with { type: 'json' }
import asic from './asic.en.json' with { type: 'json' }
import wacz from './wacz.en.json' with { type: 'json' }
import pdf from './pdf.en.json' with { type: 'json' }
import trustedList from './trusted-list.en.json' with { type: 'json' }

/**
 * Words of every proof but the package, English: one file for each kind, so that `verify.html` and the page load one language. The order
 * is the one in which they pack best: kinds that say things alike stand near one another.
 */
export const proofWords: Readonly<Record<string, string>> = {
  ...opentimestamps,
  ...bitcoinMessage,
  ...digest,
  ...chainpoint,
  ...nanoMessage,
  ...logProof,
  ...trustedList,
  ...checkpoint,
  ...timestamp,
  ...cms,
  ...xades,
  ...evidenceRecord,
  ...pdf,
  ...asic,
  ...wacz,
}
